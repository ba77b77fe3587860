import { json } from '@codemirror/lang-json';
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint';
import { useComputedColorScheme } from '@mantine/core';
import CodeMirror, {
  Decoration,
  EditorView,
  type Extension,
  keymap,
  Prec,
  ViewPlugin,
} from '@uiw/react-codemirror';
import { useMemo, useRef } from 'react';
import type { EntryIssue } from '../../../shared/model/import/import.ts';
import { pathRange, secretRanges } from '../../lib/entry/entry-text.ts';
import { syntaxIssues } from '../../lib/entry/syntax-issues.ts';
import { readNonce } from '../read-nonce.ts';
import classes from './json-editor.module.css';

interface JsonEditorProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly label: string;
  /** Marked at their positions in the text. */
  readonly issues: readonly EntryIssue[];
  /** Shows values of `env` and `headers` as dots. */
  readonly hideSecrets: boolean;
  /** Called to move a plain-text secret to the vault. */
  readonly onMoveSecret?: (secret: NonNullable<EntryIssue['secret']>) => void;
}

/** An editor for JSON with comments. Tab leaves it, as everywhere else in the window. */
export function JsonEditor(props: JsonEditorProps) {
  const { value, onChange, label, issues, hideSecrets } = props;
  const move = useRef(props.onMoveSecret);
  move.current = props.onMoveSecret;
  const scheme = useComputedColorScheme('light');
  const extensions = useMemo(
    () => [...baseExtensions(label), marks(issues, move), ...(hideSecrets ? [secretDots] : [])],
    [label, issues, hideSecrets],
  );
  return (
    <CodeMirror
      className={classes.editor ?? ''}
      value={value}
      onChange={onChange}
      theme={scheme}
      height="100%"
      indentWithTab={false}
      extensions={extensions}
      basicSetup={{ foldGutter: false, highlightActiveLineGutter: false, searchKeymap: false }}
    />
  );
}

function baseExtensions(label: string): readonly Extension[] {
  return [
    EditorView.cspNonce.of(readNonce(document)),
    EditorView.lineWrapping,
    // The editor can be reached without this, but not every checker knows that.
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    Prec.highest(editorTheme),
    // Escape leaves the editor, so that the next one can close the page.
    Prec.low(keymap.of([{ key: 'Escape', run: leave }])),
    json(),
    lintGutter(),
  ];
}

function leave(view: EditorView): boolean {
  view.contentDOM.blur();
  return true;
}

/** Current callback to move a secret; the marks are redrawn less often. */
type SecretMove = { readonly current: JsonEditorProps['onMoveSecret'] };

/** Shows JSON syntax errors at once, and the engine's issues as they arrive. */
function marks(issues: readonly EntryIssue[], move: SecretMove): Extension {
  return linter((view) => diagnostics(view.state.doc.toString(), issues, move), { delay: 150 });
}

function diagnostics(text: string, issues: readonly EntryIssue[], move: SecretMove): Diagnostic[] {
  const mistakes = syntaxIssues(text).map((issue): Diagnostic => ({ ...issue, severity: 'error' }));
  if (mistakes.length > 0) return mistakes;
  return issues.map(
    ({ path, severity, message, secret }): Diagnostic => ({
      ...pathRange(text, path),
      severity,
      message,
      ...(secret === undefined || move.current === undefined
        ? {}
        : { actions: [{ name: 'Store as a secret', apply: () => move.current?.(secret) }] }),
    }),
  );
}

const dots = Decoration.mark({ class: classes.secret ?? '' });

const secretDots = ViewPlugin.define(
  (view) => ({
    decorations: drawDots(view),
    update(change) {
      if (change.docChanged) this.decorations = drawDots(change.view);
    },
  }),
  { decorations: (plugin) => plugin.decorations },
);

function drawDots(view: EditorView) {
  const ranges = secretRanges(view.state.doc.toString());
  return Decoration.set(ranges.map(({ from, to }) => dots.range(from, to)));
}

const editorTheme = EditorView.theme({
  '&': { backgroundColor: 'transparent', color: 'var(--text)', fontSize: '12.5px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-content': { fontFamily: 'var(--font-code)', padding: '10px 0', caretColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--text-dim)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '.cm-tooltip': {
    backgroundColor: 'var(--bg-raised)',
    color: 'var(--text)',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    fontFamily: 'var(--font-text)',
  },
});
