import type { Classifier, EmbeddingSource } from '../../../../shared/model/search.ts';

export type Source = Classifier | EmbeddingSource;

/** A provider being edited. Typed values stay when another kind is selected. */
export interface ProviderDraft {
  readonly kind: Source['kind'];
  readonly url: string;
  readonly model: string;
  readonly secret: string | null;
}

/** A kind to choose from. */
export interface ProviderChoice {
  readonly kind: Source['kind'];
  readonly label: string;
  /** Default address; absent for kinds without one. */
  readonly url?: string;
}

export function draftOf(source: Source): ProviderDraft {
  const none = { url: '', model: '', secret: null };
  if (!('url' in source)) return { ...none, kind: source.kind };
  const { kind, url, model, secret } = source;
  return { ...none, kind, url, model, secret: secret ?? null };
}

/** Switches the kind and fills in its default address unless the user typed another. */
export function withKind(
  draft: ProviderDraft,
  kind: Source['kind'],
  choices: readonly ProviderChoice[],
): ProviderDraft {
  const defaultUrl = choices.find((choice) => choice.kind === kind)?.url;
  const isDefault = draft.url === '' || choices.some(({ url }) => url === draft.url);
  return { ...draft, kind, url: defaultUrl !== undefined && isDefault ? defaultUrl : draft.url };
}

/** The source, or what is still missing or wrong. */
export type DraftReading<S> =
  | { readonly kind: 'ready'; readonly source: S }
  | {
      readonly kind: 'incomplete';
      readonly url?: string;
      readonly model?: string;
    };

export function readDraft<S extends Source>(
  draft: ProviderDraft,
  choices: readonly ProviderChoice[],
): DraftReading<S> {
  const choice = choices.find(({ kind }) => kind === draft.kind);
  if (choice?.url === undefined) return { kind: 'ready', source: { kind: draft.kind } as S };
  const url = isAddress(draft.url) ? {} : { url: 'Enter an address that starts with http:// or https://.' };
  const model = draft.model.trim() === '' ? { model: 'Enter a model name.' } : {};
  if ('url' in url || 'model' in model) return { kind: 'incomplete', ...url, ...model };
  const secret = draft.secret === null ? {} : { secret: draft.secret };
  const source = { kind: draft.kind, url: draft.url.trim(), model: draft.model.trim(), ...secret };
  return { kind: 'ready', source: source as S };
}

function isAddress(text: string): boolean {
  return URL.canParse(text.trim()) && /^https?:$/.test(new URL(text.trim()).protocol);
}

/** Describes where an address leads. */
export function destinationText(url: string): string {
  if (!isAddress(url)) return 'that address';
  const { hostname, host } = new URL(url.trim());
  return isLoopback(hostname) ? `${host}, a program on this computer` : host;
}

/** Returns whether the key would be sent unencrypted over a network. */
export function sendsKeyUnencrypted({ url, secret }: ProviderDraft): boolean {
  if (secret === null || !isAddress(url)) return false;
  const { protocol, hostname } = new URL(url.trim());
  return protocol === 'http:' && !isLoopback(hostname);
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
