# The service as an image: built in one stage, run in another without compilers and development packages, by a user without rights.
# The root file system may be read-only (docker run --read-only --tmpfs /tmp): everything that is written goes to /data.

FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY studio/package.json studio/
COPY create-tain/package.json create-tain/
RUN npm ci
COPY . .
# The packages that some settings need (REDIS_URL, STORAGE_URL, TRACES, LDAP, SAML) stay; those for development go.
RUN npm run build && npm pkg delete devDependencies peerDependenciesMeta && npm prune --omit=dev

FROM node:22-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8055 DATABASE_URL=sqlite:/data/tain.db STORAGE_ROOT=/data/uploads
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN install -d -o node -g node /data
USER node
VOLUME /data
EXPOSE 8055
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/server/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/main.js"]
CMD ["start"]
