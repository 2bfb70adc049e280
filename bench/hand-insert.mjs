// Inserts many rows as one would by hand: as many rows per statement as the parameters allow, in one transaction. Also lists the threads of
// the database server that serve connections to this database.

/** `insert` takes rows in the order of the columns. */
export const openHand = (vendor, url, table, columns) =>
  openers[vendor](url, `insert into ${table} (${columns.join(', ')}) values `, columns.length);

const openers = { sqlite: openSqlite, postgres: openPostgres, mysql: openMysql };

function* chunks(rows, size) {
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size);
}

async function openSqlite(url, opening, width) {
  const { default: Database } = await import('better-sqlite3');
  const database = new Database(url.slice('sqlite:'.length));
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  const line = `(${new Array(width).fill('?').join(', ')})`;
  const insertAll = database.transaction((rows) => {
    for (const some of chunks(rows, Math.floor(32_766 / width)))
      database.prepare(opening + new Array(some.length).fill(line).join(', ')).run(some.flat());
  });
  return {
    insert: async (rows) => insertAll.immediate(rows),
    databaseThreads: async () => [],
    close: async () => database.close(),
  };
}

async function openPostgres(url, opening, width) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const line = (at) => `(${Array.from({ length: width }, (_, index) => `$${at * width + index + 1}`).join(', ')})`;
  return {
    async insert(rows) {
      await client.query('begin');
      for (const some of chunks(rows, Math.floor(65_535 / width)))
        await client.query(opening + some.map((_, at) => line(at)).join(', '), some.flat());
      await client.query('commit');
    },
    async databaseThreads() {
      const { rows } = await client.query('select pid from pg_stat_activity where datname = current_database()');
      return rows.map(({ pid }) => pid);
    },
    close: () => client.end(),
  };
}

async function openMysql(url, opening, width) {
  const { default: mysql } = await import('mysql2/promise');
  const connection = await mysql.createConnection({ uri: url });
  return {
    async insert(rows) {
      await connection.beginTransaction();
      for (const some of chunks(rows, Math.floor(65_535 / width))) await connection.query(`${opening}?`, [some]);
      await connection.commit();
    },
    async databaseThreads() {
      const [found] = await connection.query('select tid from information_schema.processlist where db = database()');
      return found.map(({ tid }) => tid);
    },
    close: () => connection.end(),
  };
}
