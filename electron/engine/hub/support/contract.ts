/** The program around the engine, as it is told in a support bundle: `Electron` to `45.5.0`. */
export type ProgramFacts = Readonly<Record<string, string | undefined>>;

/** The part of the engine that describes itself to those who help. */
export interface SupportEngine {
  /**
   * A text with everything needed to find a fault, and no secret in it; also while no hub runs. Nothing is sent or written:
   * the person reads it and decides.
   */
  support(program: ProgramFacts): Promise<string>;
}
