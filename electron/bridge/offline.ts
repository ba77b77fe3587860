import type { NameStyle } from '../../shared/model/client/client.ts';
import {
  hubIdentity,
  hubNameStyle,
  type InitializeResult,
  initializeResult,
} from '../../shared/model/client/initialize-result.ts';
import type { ListMethod } from '../../shared/model/mcp.ts';
import { digestOfText } from '../engine/base/digest.ts';
import { readCatalogueFile } from '../engine/catalogue/catalogue-file.ts';
import { chooseProfile } from '../engine/catalogue/client-facts.ts';
import type { Catalogue, CatalogueView, RawItem } from '../engine/catalogue/contract.ts';
import { capabilitiesOf } from '../engine/catalogue/listing/list-specs.ts';
import { isOpenTo, readOpenClients } from '../engine/catalogue/open-clients.ts';
import {
  type CompactChoice,
  chooseCompact,
  chooseSelection,
  Selector,
} from '../engine/catalogue/profiles.ts';
import { readProfilesFile } from '../engine/catalogue/profiles-file.ts';
import { compactView } from '../engine/catalogue/view/compact-view.ts';
import { itemsOf } from '../engine/catalogue/view/list-answer.ts';
import { createView } from '../engine/catalogue/view/view.ts';
import { readTextIfExists } from '../engine/store/files/atomic-file.ts';

/**
 * Answers in place of the hub from the files it left; they are read each time, because a running hub updates
 * them.
 */
export interface Offline {
  greeting(askedVersion: unknown): Promise<InitializeResult>;
  /** Returns undefined if no hub has left anything, or if only a hub can tell what this client gets. */
  list(method: ListMethod, clientName: string): Promise<OfflineList | undefined>;
}

export interface OfflineList {
  readonly items: readonly RawItem[];
  /** False if an enabled server had not listed its tools, resources and prompts yet: a hub knows better. */
  readonly isWhole: boolean;
}

export function createOffline(options: {
  readonly catalogueFile: string;
  readonly configFile: string;
  readonly profilesFile: string;
  readonly openClientsFile: string;
  readonly version: string;
  readonly names?: NameStyle | undefined;
  /** Name of a profile. */
  readonly profile?: string | undefined;
  /** True if a short list of tools was requested. */
  readonly compact?: boolean | undefined;
  /** Id of the client, if its entry sets one. */
  readonly client?: string | undefined;
}): Offline {
  const selector = new Selector();
  const read = async (): Promise<Catalogue | undefined> => {
    const stored = await readCatalogueFile(options.catalogueFile);
    return stored.kind === 'catalogue' ? stored.catalogue : undefined;
  };
  /** Returns undefined if only the hub can decide what the client gets. */
  async function selected(catalogue: Catalogue, clientName: string): Promise<Selected | undefined> {
    const profiles = await readProfilesFile(options.profilesFile);
    const clients = [options.client, clientName].filter((name) => name !== undefined);
    if (!isOpenTo(await readOpenClients(options.openClientsFile), clients)) return undefined;
    const choice = chooseSelection(profiles, options.profile, clients);
    const compact = chooseCompact(profiles, choice, clients, options.compact === true);
    if (choice.kind === 'everything') return { catalogue, compact };
    if (choice.kind !== 'selection') return undefined;
    return { catalogue: selector.select(catalogue, choice.selection), compact };
  }

  return {
    async greeting(askedVersion) {
      const servers = (await read())?.servers ?? [];
      return initializeResult({
        requestedVersion: askedVersion,
        identity: hubIdentity(options.version),
        servers: servers.map(({ key, offer }) => ({
          key,
          capabilities: capabilitiesOf(offer),
          ...(offer.instructions === undefined ? {} : { instructions: offer.instructions }),
        })),
        advertise: 'all',
      });
    },
    async list(method, clientName) {
      const whole = await read();
      const found = whole && (await selected(whole, clientName));
      if (whole === undefined || found === undefined) return undefined;
      const isOfToday = await isAbout(options.configFile, whole);
      const profile = chooseProfile({
        clientName,
        programDefault: hubNameStyle,
        ...(options.names === undefined ? {} : { asked: options.names }),
      });
      const view = shownView(createView(found.catalogue, profile), found.compact, method);
      return view && { items: itemsOf(view, method), isWhole: view.isComplete && isOfToday };
    },
  };
}

/**
 * Returns true if the saved catalogue belongs to the servers in the current config; one from an older version
 * does not say.
 */
async function isAbout(configFile: string, { config }: Catalogue): Promise<boolean> {
  if (config === undefined) return true;
  const text = await readTextIfExists(configFile).catch(() => undefined);
  return text !== undefined && digestOfText(text) === config;
}

/** Catalogue for a client, and how short its list of tools is. */
interface Selected {
  readonly catalogue: Catalogue;
  readonly compact: CompactChoice | undefined;
}

/** Returns undefined if only a hub can tell, because it knows which tools a client uses most. */
function shownView(
  view: CatalogueView,
  compact: CompactChoice | undefined,
  method: ListMethod,
): CatalogueView | undefined {
  if (compact === undefined || method !== 'tools/list') return view;
  const { direct, pinned } = compact.settings;
  return direct === 0 ? compactView(view, pinned) : undefined;
}
