import type { SecretsView } from '../../../shared/model/secret.ts';
import type { Event } from '../base/emitter.ts';

/** The part of the engine that keeps the secrets servers refer to as `${secret:NAME}`. No value ever comes out of it. */
export interface SecretsEngine {
  readonly secrets: {
    list(): SecretsView;
    /** Servers that refer to it start anew with it. Rejects with `secret.exists` unless `replace` is set. */
    set(name: string, value: string, replace: boolean): Promise<void>;
    /** Rejects with `secret.in_use` while servers refer to it, unless `force` is set. */
    delete(name: string, force: boolean): Promise<void>;
    readonly onChange: Event<SecretsView>;
  };
}
