import type {
  MeaningState,
  SearchQuery,
  SearchResult,
  SearchSettings,
  SearchTrial,
} from '../../../../shared/model/search.ts';
import type { Decision, SkillsView, ToolSkills } from '../../../../shared/model/skill.ts';
import type { Event } from '../../base/emitter.ts';

/** Tells whether the searcher may see an item; hidden items do not exist for it. */
export type MayHave = (serverKey: string, name: string) => boolean;

/** The part of the engine that searches, and classifies tools by skill. */
export interface SearchEngine {
  readonly search: {
    /**
     * Searches everything listed, including disabled items, unless filters exclude them. The first call
     * builds the index.
     */
    find(query: SearchQuery, mayHave?: MayHave): Promise<SearchResult>;
    settings(): Promise<SearchSettings>;
    configure(settings: SearchSettings): Promise<void>;
    /** Returns the state of semantic search with the current settings. */
    meaning(): Promise<MeaningState>;
    readonly onMeaning: Event<MeaningState>;
    /**
     * Resolves to the milliseconds until the provider answered. Rejects with `search.provider_failed` or
     * `search.model_unusable`.
     */
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
    /** Resolves when it has started; {@link onChange} reports the progress. */
    reclassify(servers?: readonly string[]): Promise<void>;
    readonly onChange: Event<SkillsView>;
  };
}
