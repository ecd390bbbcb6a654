# The service for production, on an official Node.js image. It contains no database: DATABASE_URL names yours.
# Public projects pin the same digest for this tag. Compare it with the tag before you rely on it, and update it
# with each release of Node.js.
FROM node:26-bookworm-slim@sha256:367679cf9792759492a486e4aa4b421764d71a9546a6dae8aab81a99eb797b3e AS packages
WORKDIR /service
COPY package.json package-lock.json .npmrc ./
COPY protocol/package.json protocol/
COPY domain/package.json domain/
COPY server/package.json server/
COPY sdk/package.json sdk/
COPY cli/package.json cli/
COPY console/package.json console/

# The packages of the service without those of the console. A separate stage builds the console, and only its
# files are copied.
FROM packages AS install
RUN npm ci --omit=dev --omit=optional --ignore-scripts --workspace server

# The binaries of the console's build tool are optional packages.
FROM packages AS console
RUN npm ci --ignore-scripts --workspace console
COPY tsconfig.json ./
COPY protocol protocol
COPY sdk sdk
COPY console console
RUN node console/build.js

FROM node:26-bookworm-slim@sha256:367679cf9792759492a486e4aa4b421764d71a9546a6dae8aab81a99eb797b3e
WORKDIR /service
ENV NODE_ENV=production CLEARING_MODE=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
COPY --from=install /service ./
COPY protocol protocol
COPY domain domain
COPY server server
COPY docs docs
COPY decisions decisions
COPY sdk/README.md sdk/
COPY --from=console /service/console/dist console/dist
COPY ARCHITECTURE.md CONTRIBUTING.md CHANGELOG.md ./
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s CMD ["node", "-e", "fetch('http://127.0.0.1:8080/health/ready').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
# Two heaps of malloc instead of eight for each core, so that memory freed by threads is reused (decision 150).
ENV MALLOC_ARENA_MAX=2
# Most young objects are short-lived: a small young generation saves 40 MB at no measurable cost.
CMD ["node", "--max-semi-space-size=8", "--no-allocation-site-pretenuring", "--import", "./server/src/strip-types.js", "server/src/main.ts"]
