import type { ChosenLimits, LimitName, LimitView } from '../../../../shared/model/limits.ts';
import type { Event } from '../../base/emitter.ts';

/** The part of the engine that knows its numbers; see model/limits.ts. */
export interface LimitsEngine {
  readonly limits: {
    list(): readonly LimitView[];
    /** Puts what the settings say in force. Throws `hub.bad_limit` for a value that cannot be used, and changes nothing. */
    choose(chosen: ChosenLimits): void;
    /** What the settings would say with this number, or without any; throws `hub.bad_limit`. */
    chosenWith(name: LimitName, value: number | undefined): ChosenLimits;
    readonly onChange: Event<readonly LimitView[]>;
  };
}
