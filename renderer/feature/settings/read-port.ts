/** A valid port, or why the text is not one. */
export type PortReading =
  | { readonly ok: true; readonly port: number }
  | { readonly ok: false; readonly reason: string };

/** Parses a port number; ports below 1024 are reserved by the system. */
export function readPort(text: string): PortReading {
  const trimmed = text.trim();
  if (!/^\d+$/.test(trimmed)) return { ok: false, reason: 'A port is a whole number.' };
  const port = Number(trimmed);
  return port >= 1024 && port <= 65535
    ? { ok: true, port }
    : { ok: false, reason: 'Choose a port from 1024 to 65535.' };
}
