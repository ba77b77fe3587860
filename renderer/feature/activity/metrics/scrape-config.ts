/** Where the numbers are in Prometheus' text format. */
export function metricsAddress(endpoint: string): string {
  return new URL('/metrics', endpoint).href;
}

/** What makes Prometheus fetch them; the token is read from its file, so that it is in no config. */
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
