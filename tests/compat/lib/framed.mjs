/** Ways to frame messages on stdio that are not the protocol's: one message as bytes. */
export const framings = {
  'indented over several lines': (message) => `${JSON.stringify(message, undefined, 2)}\n`,
  'indented, without an end': (message) => JSON.stringify(message, undefined, 2),
  'a Content-Length header': (message) => headed(JSON.stringify(message)),
  'a Content-Length header, indented': (message) => headed(JSON.stringify(message, undefined, 2)),
  'two headers, the length counted in characters': (message) =>
    `content-length: ${JSON.stringify(message).length}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n${JSON.stringify(message)}`,
  'a carriage return alone': (message) => `${JSON.stringify(message)}\r`,
  'indented, with carriage returns alone': (message) =>
    `${JSON.stringify(message, undefined, 2).replaceAll('\n', '\r')}\r`,
  'a NUL in place of a line end': (message) => `${JSON.stringify(message)}\0`,
  'no end of the line': (message) => JSON.stringify(message),
  'UTF-16': (message) => Buffer.from(`${JSON.stringify(message)}\r\n`, 'utf16le'),
  'UTF-16, the high byte first': (message) =>
    Buffer.from(`${JSON.stringify(message)}\r\n`, 'utf16le').swap16(),
  'a byte order mark before each': (message) => `\ufeff${JSON.stringify(message)}\n`,
};

function headed(text) {
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}
