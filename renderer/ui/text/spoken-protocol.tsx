import type { ProtocolText } from '../../../shared/model/server/protocol-text.ts';

/** Shows how a program speaks, and why in a quieter colour. */
export function SpokenProtocol({ of: { protocol, reason } }: { of: ProtocolText }) {
  return (
    <>
      MCP {protocol}
      <span className="dim"> because {reason}</span>
    </>
  );
}
