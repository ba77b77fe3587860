export interface Mutant {
  readonly id: string;
  readonly method: string;
  readonly change: (result: object) => object;
  readonly delivery: string;
}
export function allMutants(): readonly Mutant[];
