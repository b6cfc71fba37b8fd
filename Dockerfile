# One image for all processes: it runs the API by default, and the worker or the command line with another command.
# docs/operate/deployment.md describes builds for several platforms, and reproducible builds.
ARG NODE_IMAGE=node:24-slim

# nothing copied from this stage depends on the platform
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY console/package.json ./console/
COPY packages/client/package.json ./packages/client/
COPY packages/embedded-postgres/package.json ./packages/embedded-postgres/
COPY packages/provider-adyen/package.json ./packages/provider-adyen/
COPY packages/provider-checkout/package.json ./packages/provider-checkout/
COPY packages/provider-kit/package.json ./packages/provider-kit/
COPY packages/provider-mollie/package.json ./packages/provider-mollie/
COPY packages/provider-paypal/package.json ./packages/provider-paypal/
COPY packages/provider-sandbox/package.json ./packages/provider-sandbox/
COPY packages/provider-stripe/package.json ./packages/provider-stripe/
COPY packages/receiver/package.json ./packages/receiver/
COPY packages/routing/package.json ./packages/routing/
# with the optional packages, which the build of the console needs
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY packages ./packages
COPY console ./console
# the console uses it to explain error codes
COPY docs/integrate/webhooks.md ./docs/integrate/
COPY src ./src
COPY scripts/bundle-packages.mjs scripts/pack-packages.mjs scripts/side-by-side.mjs ./scripts/
# without the optional packages: containers do not need the embedded PostgreSQL
RUN npm run build && npm prune --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund
COPY scripts/check-image.mjs scripts/installed-sbom.mjs scripts/trim-image.mjs ./scripts/
# the time in the SBOM, in seconds since 1970
ARG SOURCE_DATE_EPOCH=0
RUN npm sbom --sbom-format cyclonedx --package-lock-only | node scripts/installed-sbom.mjs > sbom.cdx.json \
  && node scripts/trim-image.mjs node_modules dist console/dist packages/client/dist packages/provider-kit/dist packages/receiver/dist packages/routing/dist \
  && node scripts/check-image.mjs

FROM ${NODE_IMAGE}
ARG VERSION=0.1.0
ARG REVISION=
ARG SOURCE=
LABEL org.opencontainers.image.title="payment-orchestrator" \
  org.opencontainers.image.description="Routes payments through flows and delivers signed webhooks" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.source="${SOURCE}"
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# served by the API at /console
COPY --from=build /app/console/dist ./console/dist
# node_modules links to these; a connector in /app uses the kit
COPY --from=build /app/packages/client/package.json ./packages/client/
COPY --from=build /app/packages/client/dist ./packages/client/dist
COPY --from=build /app/packages/provider-kit/package.json ./packages/provider-kit/
COPY --from=build /app/packages/provider-kit/dist ./packages/provider-kit/dist
COPY --from=build /app/packages/receiver/package.json ./packages/receiver/
COPY --from=build /app/packages/receiver/dist ./packages/receiver/dist
COPY --from=build /app/packages/routing/package.json ./packages/routing/
COPY --from=build /app/packages/routing/dist ./packages/routing/dist
COPY --from=build /app/sbom.cdx.json ./
COPY package.json LICENSE ./
# a user of the base image, without write access under /app; a number, so that Kubernetes knows that it is not root
USER 1000
EXPOSE 3000 3001 3002
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.MANAGEMENT_PORT || process.env.METRICS_PORT || process.env.PORT || 3000}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# node gets SIGTERM directly, not through npm
CMD ["node", "dist/main-api.js"]
