/** Names of the programs around the engine to their versions, for a support bundle: `Electron` to `45.5.0`. */
export type ProgramFacts = Readonly<Record<string, string | undefined>>;
