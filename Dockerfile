# Both programs of this package in one image. The default command starts the agent:
#   docker build -t fabric-ops-agent --build-arg COMMIT=$(git rev-parse --short HEAD) .
#   docker run -p 9543:9543 fabric-ops-agent
#   docker run -p 7059:7059 fabric-ops-agent configtxlator start

ARG NODE_IMAGE=node:22-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build
# The build context has no Git repository, so the commit is an argument.
ARG COMMIT="development build"
RUN echo "${COMMIT}" > dist/commit.txt && rm -rf dist/build.stamp dist/test dist/core/common/build && find dist -name '*.map' -delete

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM ${NODE_IMAGE}
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /build/dist dist
COPY package.json LICENSE ./
COPY config/agent.yaml config/
# The support bundle of `fabric-ops-agent bundle` names the rules that are true.
COPY config/deploy/prometheus/alerts.yaml config/deploy/prometheus/node-alerts.yaml config/deploy/prometheus/
COPY config/deploy/container.yaml /etc/hyperledger/fabric/agent.yaml
RUN ln -s /app/dist/core/main.js /usr/local/bin/fabric-ops-agent \
  && ln -s /app/dist/configtxlator/main.cjs /usr/local/bin/configtxlator
# For a volume with operations.stateDirectory: a named volume gets this owner.
RUN install -d -m 0700 -o 1000 -g 1000 /var/lib/fabric-ops-agent
ENV NODE_ENV=production FABRIC_CFG_PATH=/etc/hyperledger/fabric
# Less memory; see "How many nodes one agent can have" in config/deploy/README.md.
ENV MALLOC_ARENA_MAX=1
# The user `node` of the base image, as a number so that Kubernetes can verify runAsNonRoot.
USER 1000:1000
EXPOSE 9543 7059
# Checks the agent. For a container that runs configtxlator, use docker run --no-healthcheck or a probe of /healthz.
HEALTHCHECK --interval=30s --timeout=15s --start-period=10s CMD ["fabric-ops-agent", "healthcheck", "--timeout", "12s"]
ENTRYPOINT []
CMD ["fabric-ops-agent", "start"]
