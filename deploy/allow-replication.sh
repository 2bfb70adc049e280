#!/bin/sh
# Lets the standby of compose.cluster.yaml follow the primary, with the password of the user.
echo 'host replication all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
