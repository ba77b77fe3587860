import type { Classifier, MeaningSource } from '../../../../shared/model/search.ts';

export type Source = Classifier | MeaningSource;

/** A provider as it is being typed; the texts stay while another kind is looked at. */
export interface ProviderDraft {
  readonly kind: Source['kind'];
  readonly url: string;
  readonly model: string;
  readonly secret: string | null;
  /** Of a model on this machine. */
  readonly folder: string;
}

/** A kind that can be chosen. */
export interface ProviderChoice {
  readonly kind: Source['kind'];
  readonly label: string;
  /** Where such a provider usually is; absent for those that have no address. */
  readonly url?: string;
}

export function draftOf(source: Source): ProviderDraft {
  const none = { url: '', model: '', secret: null, folder: '' };
  if (source.kind === 'folder') return { ...none, ...source };
  if (!('url' in source)) return { ...none, kind: source.kind };
  const { kind, url, model, secret } = source;
  return { ...none, kind, url, model, secret: secret ?? null };
}

/** Another kind: its usual address, where none of one's own is typed. */
export function withKind(
  draft: ProviderDraft,
  kind: Source['kind'],
  choices: readonly ProviderChoice[],
): ProviderDraft {
  const usual = choices.find((choice) => choice.kind === kind)?.url;
  const isUsual = draft.url === '' || choices.some(({ url }) => url === draft.url);
  return { ...draft, kind, url: usual !== undefined && isUsual ? usual : draft.url };
}

/** What is to be corrected before it can be used, or the source that it makes. */
export type DraftReading<S> =
  | { readonly kind: 'ready'; readonly source: S }
  | {
      readonly kind: 'incomplete';
      readonly url?: string;
      readonly model?: string;
      readonly folder?: string;
    };

export function readDraft<S extends Source>(
  draft: ProviderDraft,
  choices: readonly ProviderChoice[],
): DraftReading<S> {
  if (draft.kind === 'folder') return readFolder(draft.folder.trim());
  const choice = choices.find(({ kind }) => kind === draft.kind);
  if (choice?.url === undefined) return { kind: 'ready', source: { kind: draft.kind } as S };
  const url = isAddress(draft.url) ? {} : { url: 'An address that begins with http:// or https://.' };
  const model = draft.model.trim() === '' ? { model: 'The name of a model.' } : {};
  if ('url' in url || 'model' in model) return { kind: 'incomplete', ...url, ...model };
  const secret = draft.secret === null ? {} : { secret: draft.secret };
  const source = { kind: draft.kind, url: draft.url.trim(), model: draft.model.trim(), ...secret };
  return { kind: 'ready', source: source as S };
}

function readFolder<S extends Source>(folder: string): DraftReading<S> {
  if (!isWholePath(folder)) return { kind: 'incomplete', folder: 'The whole path of a folder.' };
  return { kind: 'ready', source: { kind: 'folder', folder } as S };
}

/** Of any system: the window does not know on which the hub runs. */
function isWholePath(path: string): boolean {
  return /^(?:\/|[a-z]:[\\/]|\\\\)/i.test(path);
}

function isAddress(text: string): boolean {
  return URL.canParse(text.trim()) && /^https?:$/.test(new URL(text.trim()).protocol);
}

/** Whom a provider's address is of, in words. */
export function whereIs(url: string): string {
  if (!isAddress(url)) return 'that address';
  const { hostname, host } = new URL(url.trim());
  return isHere(hostname) ? `${host}, a program on this computer` : host;
}

/** A key would be readable on its way. */
export function isOpenToReaders({ url, secret }: ProviderDraft): boolean {
  if (secret === null || !isAddress(url)) return false;
  const { protocol, hostname } = new URL(url.trim());
  return protocol === 'http:' && !isHere(hostname);
}

function isHere(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
