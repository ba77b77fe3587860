/** The program around the engine as shown in a support bundle, for example `Electron`: `45.5.0`. */
export type ProgramFacts = Readonly<Record<string, string | undefined>>;

/** The part of the engine that creates support bundles. */
export interface SupportEngine {
  /**
   * Returns a text with everything needed to find a fault and no secrets; also works while no hub runs.
   * Nothing is sent or written: the user reads it and decides.
   */
  support(program: ProgramFacts): Promise<string>;
}
