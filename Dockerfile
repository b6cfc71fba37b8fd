# One image for all processes: the API by default, the worker and the command line by another command.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY console/package.json ./console/
COPY packages/client/package.json ./packages/client/
COPY packages/receiver/package.json ./packages/receiver/
# without the optional packages: they are an embedded PostgreSQL, which containers do without
RUN npm ci --omit=optional --ignore-scripts --no-audit --no-fund
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY packages ./packages
COPY console ./console
# the console explains the codes by it
COPY docs/webhook-errors.md ./docs/
COPY src ./src
RUN npm run build && npm prune --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# what the API serves at /console
COPY --from=build /app/console/dist ./console/dist
# node_modules links to it
COPY --from=build /app/packages/receiver/package.json ./packages/receiver/
COPY --from=build /app/packages/receiver/dist ./packages/receiver/dist
COPY package.json LICENSE ./
# comes with the image, may write nowhere under /app
USER node
EXPOSE 3000 3001 3002
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.MANAGEMENT_PORT || process.env.METRICS_PORT || process.env.PORT || 3000}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# node itself is process 1 and gets SIGTERM; npm would stand in between
CMD ["node", "dist/main-api.js"]
