import type {
  MeaningState,
  SearchQuery,
  SearchResult,
  SearchSettings,
  SearchTrial,
} from '../../../../shared/model/search.ts';
import type { Decision, SkillsView, ToolSkills } from '../../../../shared/model/skill.ts';
import type { Event } from '../../base/emitter.ts';

/** Whether whoever searches may have a thing; what they may not have is as if it were not there. */
export type MayHave = (serverKey: string, name: string) => boolean;

/** The part of the engine that finds things by words, and knows what tools are good for. */
export interface SearchEngine {
  readonly search: {
    /** Everything that is offered, also what is turned off, unless filters say otherwise. The first one builds the index. */
    find(query: SearchQuery, mayHave?: MayHave): Promise<SearchResult>;
    settings(): Promise<SearchSettings>;
    configure(settings: SearchSettings): Promise<void>;
    /** How far meaning is, by the settings in force. */
    meaning(): Promise<MeaningState>;
    readonly onMeaning: Event<MeaningState>;
    /** Milliseconds until it answered. Rejects with `search.provider_failed` or `search.model_unusable`. */
    test(trial: SearchTrial): Promise<number>;
  };
  readonly skills: {
    view(): Promise<SkillsView>;
    tools(filter?: {
      readonly skill?: string;
      readonly servers?: readonly string[];
    }): Promise<readonly ToolSkills[]>;
    /** Rejects with `skill.unknown` or `call.unknown_tool`. */
    correct(serverKey: string, name: string, skills: readonly string[]): Promise<void>;
    release(serverKey: string, name: string): Promise<void>;
    /** Rejects with `skill.unknown`. */
    decide(suggestion: string, decision: Decision): Promise<void>;
    /** Resolves when it has been begun; {@link onChange} tells how far it is. */
    reclassify(servers?: readonly string[]): Promise<void>;
    readonly onChange: Event<SkillsView>;
  };
}
