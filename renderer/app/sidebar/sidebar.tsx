import { Tooltip, UnstyledButton } from '@mantine/core';
import { Search } from 'lucide-react';
import { openView } from '../../command/navigate.ts';
import { viewLooks } from '../../command/view-commands.ts';
import { comboForAria } from '../../lib/key-combo.ts';
import { useModel, useView } from '../../store/model-context.tsx';
import { setPalette, type View, views } from '../../store/view-store.ts';
import { KeyHint } from '../../ui/text/key-hint.tsx';
import { HubFoot } from './hub-foot.tsx';
import { Logo } from './logo.tsx';
import classes from './sidebar.module.css';
import { type NavCount, useNavCounts } from './use-nav-counts.ts';

/** Navigation to the five views, with their counts and attention badges. */
export function Sidebar({ narrow }: { narrow: boolean }) {
  const counts = useNavCounts();
  return (
    <nav className={classes.sidebar} data-narrow={narrow} aria-label="Main">
      <div className={`row ${classes.brand}`}>
        <Logo />
        <span className={classes.name}>Patchbay</span>
      </div>
      <PaletteButton narrow={narrow} />
      <ul className={classes.items}>
        {views.map((view, index) => (
          <NavItem key={view} view={view} count={counts[view]} narrow={narrow} combo={`mod+${index + 1}`} />
        ))}
      </ul>
      <HubFoot narrow={narrow} />
    </nav>
  );
}

function PaletteButton({ narrow }: { narrow: boolean }) {
  const { view, mac } = useModel();
  return (
    <Tooltip label="Search and commands" position="right" disabled={!narrow}>
      <UnstyledButton
        className={`row ${classes.palette}`}
        onClick={() => setPalette(view, true)}
        aria-label="Search and commands"
        aria-keyshortcuts={comboForAria('mod+k', mac)}
      >
        <Search size={14} aria-hidden />
        {!narrow && <span className={classes.paletteText}>Search</span>}
        {!narrow && <KeyHint combo="mod+k" />}
      </UnstyledButton>
    </Tooltip>
  );
}

interface NavItemProps {
  readonly view: View;
  readonly count: NavCount;
  readonly narrow: boolean;
  readonly combo: string;
}

function NavItem({ view, count, narrow, combo }: NavItemProps) {
  const model = useModel();
  const current = useView((state) => state.place.view === view);
  const { title, icon: Icon } = viewLooks[view];
  const label = [title, count.label].filter(Boolean).join(', ');
  return (
    <li>
      <Tooltip label={label} position="right" disabled={!narrow}>
        <UnstyledButton
          className={`row ${classes.item}`}
          aria-current={current ? 'page' : undefined}
          aria-label={label}
          aria-keyshortcuts={comboForAria(combo, model.mac)}
          onClick={() => openView(model, view)}
        >
          <Icon size={16} strokeWidth={1.8} aria-hidden />
          <span className={classes.itemText}>{title}</span>
          {count.attention > 0 && (
            <span className={classes.attention} aria-hidden>
              {count.attention}
            </span>
          )}
          {count.total !== undefined && (
            <span className={classes.count} aria-hidden>
              {count.total.toLocaleString('en')}
            </span>
          )}
        </UnstyledButton>
      </Tooltip>
    </li>
  );
}
