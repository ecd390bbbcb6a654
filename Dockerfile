# The service for production, on an official Node.js image. It brings no database: DATABASE_URL names yours.
# The digest is the one that public projects pin for this tag; compare it with the tag before relying on it, and renew it with each release of Node.js.
FROM node:26-bookworm-slim@sha256:367679cf9792759492a486e4aa4b421764d71a9546a6dae8aab81a99eb797b3e AS packages
WORKDIR /service
COPY package.json package-lock.json .npmrc ./
COPY protocol/package.json protocol/
COPY domain/package.json domain/
COPY server/package.json server/
COPY sdk/package.json sdk/
COPY cli/package.json cli/
COPY console/package.json console/

# What the service loads, and nothing of the console: that is built in a stage of its own, and its files alone are taken over.
FROM packages AS install
RUN npm ci --omit=dev --omit=optional --ignore-scripts --workspace server

# Its builder's binaries are optional packages.
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
# Two heaps of malloc instead of eight for each core: what threads free is used again (decision 150).
ENV MALLOC_ARENA_MAX=2
# Young objects die young here: a small nursery saves 40 MB and costs nothing measurable.
CMD ["node", "--max-semi-space-size=16", "--no-allocation-site-pretenuring", "server/src/main.ts"]
