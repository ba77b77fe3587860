/** Returns the URL of the metrics in Prometheus format. */
export function metricsAddress(endpoint: string): string {
  return new URL('/metrics', endpoint).href;
}

/** Returns a Prometheus scrape config. The token is read from its file, so the config contains no secret. */
export function scrapeConfig(endpoint: string, dataDir: string): string {
  const separator = dataDir.includes('\\') ? '\\' : '/';
  const file = JSON.stringify(`${dataDir}${separator}admin.token`);
  return `scrape_configs:
  - job_name: patchbay
    authorization:
      credentials_file: ${file}
    static_configs:
      - targets: [${JSON.stringify(new URL(endpoint).host)}]
`;
}
