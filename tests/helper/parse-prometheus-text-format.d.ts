declare module 'parse-prometheus-text-format' {
  /** One metric as a Prometheus server reads it. */
  export interface ParsedMetric {
    readonly name: string;
    readonly help: string;
    readonly type: 'COUNTER' | 'GAUGE' | 'HISTOGRAM' | 'SUMMARY' | 'UNTYPED';
    readonly metrics: readonly {
      readonly labels?: Readonly<Record<string, string>>;
      readonly value?: string;
    }[];
  }

  // biome-ignore lint/style/noDefaultExport: the module has one.
  export default function parse(text: string): readonly ParsedMetric[];
}
