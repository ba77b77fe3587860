import '@mantine/spotlight/styles.layer.css';
import { createSpotlight, Spotlight, type SpotlightStore } from '@mantine/spotlight';
import { Search } from 'lucide-react';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ConnectClient } from '../../../shared/model/client/connect.ts';
import type { Command } from '../../command/command.ts';
import { skillCommands } from '../../command/tool/skill-commands.ts';
import { groupBy } from '../../lib/group-by.ts';
import { paletteName } from '../../lib/palette-name.ts';
import { queryWords } from '../../lib/text/match-words.ts';
import { knownValue, useAnswer } from '../../store/hook/use-engine.ts';
import { useFinder } from '../../store/hook/use-finder.ts';
import { useModel, useView } from '../../store/model-context.tsx';
import { setPalette, setPaletteText } from '../../store/view-store.ts';
import { currentOpener, restoreFocus } from '../../ui/dialog/use-restore-focus.ts';
import { KeyHint } from '../../ui/text/key-hint.tsx';
import { MarkedText } from '../../ui/text/marked-text.tsx';
import classes from './palette.module.css';
import { findCommands } from './palette-commands.ts';
import { PaletteHit } from './palette-hit.tsx';

/** Maximum number of hits, few enough to see at a glance. */
const maxHits = 12;

/** Searches all commands, servers, tools, prompts and resources in one field. */
export function Palette() {
  const model = useModel();
  const opened = useView((state) => state.palette);
  const query = useView((state) => state.paletteText);
  const [[store, spotlight]] = useState(createSpotlight);
  usePaletteFocus(opened);
  useEffect(() => {
    // Opened through its store rather than by a prop: a palette forced open cannot be closed by key or click.
    if (opened) spotlight.open();
    else spotlight.close();
  }, [opened, spotlight]);
  const clients = useConnectable(opened);
  const found = useMemo(
    () => (opened ? findCommands(model, query, clients) : []),
    [model, opened, query, clients],
  );
  const isSearching = opened && query.trim() !== '';
  const { state } = useFinder(isSearching ? { query, limit: maxHits } : undefined);
  const hits = isSearching && state.kind === 'found' ? state.result.hits : [];
  // Answers arrive after the key press that selected the first line, which may be gone with the previous ones.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever other lines are listed
  useEffect(() => {
    if (query !== '') selectFirst(store);
  }, [store, found, hits]);
  const isNothing = found.length === 0 && hits.length === 0;
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      query={query}
      onQueryChange={(text) => setPaletteText(model.view, text)}
      onSpotlightClose={() => setPalette(model.view, false)}
      closeOnActionTrigger={false}
      returnFocus={false}
      lockScroll={false}
      radius={12}
      size={580}
      yOffset="14vh"
      attributes={{ content: { 'aria-label': paletteName } }}
      transitionProps={{ duration: 100 }}
      overlayProps={{ blur: 0, backgroundOpacity: 0.35 }}
      classNames={{
        content: classes.content ?? '',
        actionsGroup: classes.group ?? '',
        search: classes.search ?? '',
      }}
    >
      <Spotlight.Search
        placeholder="Search commands, servers and tools"
        aria-label="Search commands, servers and tools"
        leftSection={<Search size={16} aria-hidden />}
      />
      <Spotlight.ActionsList {...scrolling}>
        {Object.entries(groupBy(found, (command) => command.group)).map(([group, list]) => (
          <Spotlight.ActionsGroup key={group} label={group}>
            {list.map((command) => (
              <Action key={command.id} command={command} words={queryWords(query)} />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {hits.length > 0 && (
          <Spotlight.ActionsGroup label="Tools, prompts and resources">
            {hits.map((hit) => (
              <PaletteHit
                key={`${hit.kind} ${hit.serverKey}:${hit.name}`}
                hit={hit}
                isMeaningUsed={state.kind === 'found' && state.result.meaning === 'used'}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {isSearching && state.kind === 'failed' && (
          <p className={classes.note} role="status">
            Tools, prompts and resources cannot be searched right now. {state.problem.sentence}
          </p>
        )}
        {isNothing && state.kind === 'found' && <NothingFound query={query} />}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

const noClients: readonly ConnectClient[] = [];

/** Fetches the clients that can be connected, each time the palette opens. */
function useConnectable(opened: boolean): readonly ConnectClient[] {
  const [state] = useAnswer<{ readonly clients: readonly ConnectClient[] }>(
    async (link) =>
      opened ? link.call('connect.list', undefined) : { ok: true, value: { clients: noClients } },
    [opened],
  );
  return knownValue(state)?.clients ?? noClients;
}

/** Runs at once on closing, so that a dialog opened from the palette knows where the focus was. */
function usePaletteFocus(opened: boolean): void {
  const opener = useRef<Element>(null);
  useLayoutEffect(() => {
    const palette = document.querySelector(`[role="dialog"][aria-label="${paletteName}"]`);
    if (opened) opener.current = currentOpener();
    else restoreFocus(opener.current, palette);
  }, [opened]);
}

/** Selects the first line if none is selected; the palette's components have no API for it. */
function selectFirst(store: SpotlightStore): void {
  const { listId } = store.getState();
  const list = listId === '' ? null : document.getElementById(listId);
  if (list === null || list.querySelector('[data-selected]') !== null) return;
  list.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
  store.updateState((state) => ({ ...state, selected: 0 }));
}

/** Says that nothing was found and offers to browse. */
function NothingFound({ query }: { query: string }) {
  const [browse] = skillCommands;
  return (
    <>
      <p className={classes.note} role="status">
        Nothing found for “{query.slice(0, 60)}”. Try other words, or a server name.
      </p>
      {browse !== undefined && <Action command={browse} words={[]} />}
    </>
  );
}

/** Passed to the inner scroll area: limited in height, and reachable by keyboard. */
const scrolling = {
  mah: 'min(420px, 60vh)',
  viewportProps: { tabIndex: 0, role: 'group', 'aria-label': 'Results' },
};

function Action({ command, words }: { command: Command; words: readonly string[] }) {
  const model = useModel();
  const Icon = command.icon;
  function run(): void {
    setPalette(model.view, false);
    command.run(model);
  }
  return (
    <Spotlight.Action className={`row ${classes.action}`} onClick={run}>
      <Icon size={15} strokeWidth={1.8} aria-hidden />
      <span className="truncate grow">
        <MarkedText text={command.title} words={words} />
      </span>
      {command.shortcut !== undefined && <KeyHint combo={command.shortcut} />}
    </Spotlight.Action>
  );
}
