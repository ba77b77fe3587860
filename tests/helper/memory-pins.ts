import type { PinTexts, StoredPin, ToolPins } from '../../electron/engine/pinning/tool-pins.ts';

/** Pins that are kept nowhere; `broken` makes them unreadable. */
export function memoryPins(options: { readonly broken?: boolean } = {}): ToolPins & {
  readonly kept: Map<string, StoredPin & PinTexts>;
} {
  const kept = new Map<string, StoredPin & PinTexts>();
  const id = (serverKey: string, name: string) => `${serverKey}:${name}`;
  const save = (pin: StoredPin, texts: PinTexts = {}) => {
    const { definition, previous } = kept.get(id(pin.serverKey, pin.name)) ?? {};
    kept.set(id(pin.serverKey, pin.name), { definition, previous, ...pin, ...texts });
  };
  return {
    kept,
    load: async () => {
      if (options.broken) throw new Error('no database');
      return [...kept.values()];
    },
    definition: async (serverKey, name) => kept.get(id(serverKey, name))?.definition,
    previous: async (serverKey, name) => kept.get(id(serverKey, name))?.previous,
    save,
    trust: (pins) => {
      for (const { definition, ...pin } of pins)
        if (!kept.has(id(pin.serverKey, pin.name))) save(pin, { definition: definition() });
    },
    forget: (serverKey, name) => {
      for (const [key, pin] of kept)
        if (pin.serverKey === serverKey && (name === undefined || pin.name === name)) kept.delete(key);
    },
    copy: (serverKey, to) => {
      for (const pin of [...kept.values()]) if (pin.serverKey === serverKey) save({ ...pin, serverKey: to });
    },
    flush: async () => true,
  };
}
