import type { NameStyle } from '../../shared/model/client.ts';
import { type Greeting, greet, hubIdentity, hubNameStyle } from '../../shared/model/greeting.ts';
import type { ListMethod } from '../../shared/schema/bridge-hello.ts';
import { readCatalogueFile } from '../engine/catalogue/catalogue-file.ts';
import { chooseProfile } from '../engine/catalogue/client-table.ts';
import type { Catalogue, RawItem } from '../engine/catalogue/contract.ts';
import { itemsOf } from '../engine/catalogue/list-answer.ts';
import { isOpenTo, readOpenClients } from '../engine/catalogue/open-clients.ts';
import { chooseSelection, Selector } from '../engine/catalogue/profiles.ts';
import { readProfilesFile } from '../engine/catalogue/profiles-file.ts';
import { createView } from '../engine/catalogue/view.ts';

/** What the hub would answer, from what it left on disk; read anew each time, since a hub writes it while it runs. */
export interface Offline {
  greeting(askedVersion: unknown): Promise<Greeting>;
  /** Undefined when no hub has left anything, or what this client gets cannot be told without one. */
  list(method: ListMethod, clientName: string): Promise<readonly RawItem[] | undefined>;
}

export function createOffline(options: {
  readonly catalogueFile: string;
  readonly profilesFile: string;
  readonly openClientsFile: string;
  readonly version: string;
  readonly names?: NameStyle;
  /** Name of a profile. */
  readonly profile?: string;
  /** Id of the client, where its entry says so. */
  readonly client?: string;
}): Offline {
  const selector = new Selector();
  const read = async (): Promise<Catalogue | undefined> => {
    const stored = await readCatalogueFile(options.catalogueFile);
    return stored.kind === 'catalogue' ? stored.catalogue : undefined;
  };
  /** Undefined where what the client gets is the hub's to say. */
  async function selected(catalogue: Catalogue, clientName: string): Promise<Catalogue | undefined> {
    const profiles = await readProfilesFile(options.profilesFile);
    const clients = [options.client, clientName].filter((name) => name !== undefined);
    if (!isOpenTo(await readOpenClients(options.openClientsFile), clients)) return undefined;
    const choice = chooseSelection(profiles, options.profile, clients);
    if (choice.kind === 'everything') return catalogue;
    return choice.kind === 'selection' ? selector.select(catalogue, choice.selection) : undefined;
  }

  return {
    async greeting(askedVersion) {
      const servers = (await read())?.servers ?? [];
      return greet({
        askedVersion,
        identity: hubIdentity(options.version),
        servers: servers.map(({ key, offer: { capabilities, instructions } }) => ({
          key,
          capabilities,
          ...(instructions === undefined ? {} : { instructions }),
        })),
        advertise: 'all',
      });
    },
    async list(method, clientName) {
      const whole = await read();
      const catalogue = whole && (await selected(whole, clientName));
      if (catalogue === undefined) return undefined;
      const profile = chooseProfile({
        clientName,
        programDefault: hubNameStyle,
        ...(options.names === undefined ? {} : { asked: options.names }),
      });
      return itemsOf(createView(catalogue, profile), method);
    },
  };
}
