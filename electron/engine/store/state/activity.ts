/** A call that has ended, as lists show it. */
export interface Activity {
  /** Grows by time. */
  readonly id: number;
  /** Epoch milliseconds, when it began. */
  readonly at: number;
  readonly clientId: string;
  readonly clientName: string;
  readonly serverKey: string;
  readonly method: string;
  /** The tool's or prompt's own name, or the resource's URI. */
  readonly name: string | undefined;
  readonly outcome: string;
  readonly milliseconds: number;
  /** Bytes on the wire. */
  readonly requestBytes: number;
  readonly answerBytes: number;
}

/** What a call carried, as JSON text. What is secret in it has been replaced by whoever tells of it. */
export interface ActivityBody {
  readonly arguments: string | undefined;
  readonly result: string | undefined;
}

export interface KeptActivityBody extends ActivityBody {
  /** Only its beginning was kept. */
  readonly isCut: boolean;
}

export type ActivityEntry = Omit<Activity, 'id'> & ActivityBody;

/** Which calls to list; all that is given has to hold. */
export interface ActivityQuery {
  readonly limit: number;
  /** Only those older than this one: the last of the page before. */
  readonly before?: number | undefined;
  readonly serverKey?: string | undefined;
  readonly clientName?: string | undefined;
  readonly method?: string | undefined;
  readonly outcome?: string | undefined;
  /** Part of its name, server or client; A to Z in either case. */
  readonly text?: string | undefined;
}

/** How much is kept; beyond either, the oldest goes. */
export interface ActivityBounds {
  readonly rows: number;
  /** Characters, roughly. */
  readonly size: number;
}
