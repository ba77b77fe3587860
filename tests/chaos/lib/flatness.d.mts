export declare function flatnessOf(
  samples: readonly { readonly pid: number; readonly age: number; readonly live: number }[],
  figure: string,
):
  | { readonly second: number; readonly last: number; readonly ratio: number; readonly samples: number }
  | undefined;
