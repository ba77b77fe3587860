import { skillsOfText } from './classify/classify.ts';
import { ruleClassifier, skillKeywordsWith } from './classify/rule-classifier.ts';
import { ToolClassifications, type ToolClassificationsOptions } from './classify/skill-book.ts';
import type { SearchDocument } from './contract.ts';
import { documentsOf } from './index/documents.ts';
import { SearchIndex } from './index/search-index.ts';
import { ollamaEmbedder, openAiEmbedder } from './meaning/embedder.ts';
import { SemanticIndex, type SemanticIndexOptions } from './meaning/meaning.ts';
import { anthropicModel, openAiModel } from './model/http-models.ts';
import { modelClassifier } from './model/model-classifier.ts';
import { samplingModel } from './model/sampling-model.ts';

export {
  anthropicModel,
  documentsOf,
  modelClassifier,
  ollamaEmbedder,
  openAiEmbedder,
  openAiModel,
  ruleClassifier,
  samplingModel,
};

/** Creates the skill store. This module is loaded only when a search or a classification needs it. */
export function openToolClassifications(options: ToolClassificationsOptions): ToolClassifications {
  return new ToolClassifications(options);
}

/** Creates an index that uses the skills of the book. */
export function openSearchIndex(
  book: ToolClassifications,
  usesOf: (serverKey: string) => ReadonlyMap<string, number> | undefined,
): SearchIndex {
  const lexicon = skillKeywordsWith([]);
  return new SearchIndex({
    knowledgeOf: (serverKey, name) => book.knowledgeOf(serverKey, name),
    skillNames: () => new Map(book.skills().map(({ id, name }) => [id, name])),
    skillsOfQuery: (query) => skillsOfText(query.slice(0, maxQueryLength), lexicon),
    usesOf,
  });
}

/** Characters of a query that are used to find its skills. */
const maxQueryLength = 400;

export function openSemanticIndex(options: SemanticIndexOptions): SemanticIndex {
  return new SemanticIndex(options);
}

/** Returns the tools among the documents. */
export function toolsOf(documents: readonly SearchDocument[]): readonly SearchDocument[] {
  return documents.filter(({ kind }) => kind === 'tool');
}
