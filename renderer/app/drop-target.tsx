import { FileDown } from 'lucide-react';
import { useEffect, useState } from 'react';
import { pathOfFile } from '../bridge/connect-bridge.ts';
import { openPaste } from '../command/navigate.ts';
import type { Model } from '../store/model.ts';
import { useModel } from '../store/model-context.tsx';
import classes from './drop-target.module.css';

/** Opens the paste dialog with anything dropped on the window, or pasted outside a field. */
export function DropTarget() {
  const model = useModel();
  const over = useDrops(model);
  usePastes(model);
  if (!over) return null;
  return (
    <div className={classes.overlay} aria-hidden>
      <div className={classes.card}>
        <FileDown size={28} />
        <p className={classes.title}>Drop to add servers</p>
        <p className="dim">A config, a README, an .mcpb bundle, an install link or any text</p>
      </div>
    </div>
  );
}

/** True while something usable is dragged over the window. */
function useDrops(model: Model): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    let own = false;
    let depth = 0;
    const takes = (event: DragEvent) => {
      const isFile = event.dataTransfer?.types.includes('Files') === true;
      return !own && isFree(model) && (isFile || (hasText(event.dataTransfer) && !isField(event.target)));
    };
    const leave = () => {
      depth = 0;
      setOver(false);
    };
    const listeners = {
      // Ignores drags that start in the window.
      dragstart: () => {
        own = true;
      },
      dragend: () => {
        own = false;
      },
      dragenter: (event: DragEvent) => {
        depth += 1;
        if (takes(event)) setOver(true);
      },
      dragleave: () => {
        depth -= 1;
        if (depth <= 0) leave();
      },
      dragover: (event: DragEvent) => {
        if (own || isField(event.target)) return;
        event.preventDefault();
        if (event.dataTransfer !== null) event.dataTransfer.dropEffect = takes(event) ? 'copy' : 'none';
      },
      drop: (event: DragEvent) => {
        const taken = takes(event);
        leave();
        if (own || (isField(event.target) && event.dataTransfer?.types.includes('Files') !== true)) return;
        event.preventDefault();
        if (taken) take(model, event.dataTransfer);
      },
    };
    for (const [name, listener] of Object.entries(listeners))
      window.addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(listeners))
        window.removeEventListener(name, listener as EventListener);
    };
  }, [model]);
  return over;
}

function usePastes(model: Model): void {
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const { dialog } = model.view.getState();
      const hasFile = (event.clipboardData?.files.length ?? 0) > 0;
      if (event.defaultPrevented || !isFree(model)) return;
      if (isField(event.target) && !(hasFile && dialog?.kind === 'add-server')) return;
      if (take(model, event.clipboardData)) event.preventDefault();
    };
    window.addEventListener('paste', onPaste);
    return () => window.removeEventListener('paste', onPaste);
  }, [model]);
}

/** Opens the dialog with all files, or with the text; false if there is neither. */
function take(model: Model, data: DataTransfer | null): boolean {
  const text = textIn(data);
  const dropped = [...(data?.files ?? [])].map(pathOfFile).filter((path) => path !== '');
  const files = dropped.length > 0 ? dropped : localPaths(text);
  if (files.length === 0 && text.trim() === '') return false;
  openPaste(model, files.length > 0 ? { files: files.slice(0, maxFiles) } : { text });
  return true;
}

/** Maximum number of files at once. */
const maxFiles = 100;

/** Prefers the URL of a link; its plain text may be only the title. */
function textIn(data: DataTransfer | null): string {
  const addresses = (data?.getData('text/uri-list') ?? '')
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'))
    .join('\n');
  return addresses === '' ? (data?.getData('text/plain') ?? '') : addresses;
}

/** Some file managers provide only file URLs. */
function localPaths(text: string): readonly string[] {
  const lines = text.trim().split(/\r?\n/);
  if (!lines.every((line) => line.startsWith('file:') && URL.canParse(line))) return [];
  return lines.map((line) => decodeURIComponent(new URL(line).pathname).replace(/^\/(?=[A-Za-z]:)/, ''));
}

function hasText(data: DataTransfer | null): boolean {
  return data?.types.some((type) => type === 'text/plain' || type === 'text/uri-list') === true;
}

/** True if no other dialog is open. */
function isFree(model: Model): boolean {
  const { dialog, palette } = model.view.getState();
  return !palette && (dialog === undefined || dialog.kind === 'add-server');
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable="true"]') !== null
  );
}
