export type { SearchHit, SearchQuery } from '../../../shared/model/search.ts';
