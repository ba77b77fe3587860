/** Named events of a stream, each with its name as `type` in its data. */
export const typedEvents = (events) =>
  events.map(([type, data]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`).join('');

export const eventStream = 'text/event-stream';
