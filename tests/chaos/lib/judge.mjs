/** Judges messages by their content alone: each function returns the violation that it finds, or nothing. */

/** A tool's answer says which server answered which call of which client. */
export function judgeCall(result, request) {
  const { client, call, server, tool, terms = {} } = request;
  const said = parseText(result.content?.[0]?.text);
  if (said?.client !== client)
    return { rule: 'nothing reaches a wrong client', detail: `an answer for ${said?.client}` };
  const isAsked = said.server === server || (tool === 'echo' && said.server === terms.standIn);
  if (said.call !== call || !isAsked || said.tool !== tool)
    return { rule: 'answers match', detail: `got ${said.server} ${said.tool} ${said.call}` };
  return judgeTerms(terms, said, request.principal);
}

/** As an echo, with the whole text. */
export function judgeLarge(length) {
  return (result, request) => {
    const found = parseText(result.content?.[0]?.text)?.text?.length;
    if (found !== length) return { rule: 'answers match', detail: `${found} of ${length} characters` };
    return judgeCall(result, request);
  };
}

/** Calls under one key, which stands in the place of the call's own number, bring the very same result. */
export function judgeKeyed(key) {
  let first;
  return (result, request) => {
    const { text } = result.content[0];
    first ??= text;
    if (first !== text)
      return { rule: 'answers match', detail: `two results under one key: ${first}, ${text}` };
    return judgeCall(result, { ...request, call: key });
  };
}

function judgeTerms({ limit, owners }, { server, client, busy, self }, principal = client) {
  if (busy > limit) return { rule: 'limits hold', detail: `${busy} calls at one time on ${server}` };
  const owner = owners?.get(self) ?? principal;
  owners?.set(self, owner);
  if (owner === principal) return undefined;
  return { rule: "what is a client's own stays its own", detail: `${server} of ${owner} served ${client}` };
}

/** The question was answered by the client whose call it was, or put to nobody. */
export function judgeAsk(result, request) {
  const fault = judgeCall(result, request);
  if (fault !== undefined) return fault;
  const { who, refused } = parseText(result.content[0].text);
  if (who === request.client || refused !== undefined) return undefined;
  return { rule: 'nothing reaches a wrong client', detail: `${who} answered the question` };
}

export function judgePrompt(result, { client, call, server }) {
  const said = parseText(result.messages?.[0]?.content?.text);
  if (said?.client !== client)
    return { rule: 'nothing reaches a wrong client', detail: `a prompt for ${said?.client}` };
  if (said.call !== call || said.server !== server)
    return { rule: 'answers match', detail: `got ${said.server} ${said.call}` };
  return undefined;
}

export function judgeResource(result, { server, uri }) {
  const [content] = result.contents ?? [];
  if (content?.uri === uri && content.text === `${server} has ${uri}`) return undefined;
  return { rule: 'answers match', detail: `got ${JSON.stringify(content)}` };
}

/** The everything server's echo carries the whole call in its text. */
export function judgeForeignEcho(result, { client, call }) {
  const text = result.content?.[0]?.text;
  if (text === `Echo: ${call}`) return undefined;
  const isOthers = !text?.startsWith(`Echo: ${client} `);
  return { rule: isOthers ? 'nothing reaches a wrong client' : 'answers match', detail: `got ${text}` };
}

/** A list of tools names every server that was never switched off, or holds the tool that says why it does not. */
export function judgeTools(result, steady) {
  const rule = 'no list is silently empty';
  const names = (result.tools ?? []).map(({ name }) => name);
  if (names.length === 0) return { rule, detail: 'no tool at all' };
  if (names.includes('patchbay_status')) return undefined;
  const missing = steady.filter((key) => !names.some((name) => name.startsWith(`${key}__`)));
  return missing.length === 0 ? undefined : { rule, detail: `nothing of ${missing.join(', ')}` };
}

/** A log line names its client. One with a session that wants any gets those of shared servers, whoever caused them. */
function judgeLog({ data }, { name, isModern, level }) {
  const said = parseText(data);
  if (said?.client === undefined) return undefined;
  const isFine = said.client === name ? !isModern || level !== undefined : !isModern && level !== undefined;
  return isFine
    ? undefined
    : { rule: 'nothing reaches a wrong client', detail: `a log line of ${said.client}`, call: said.call };
}

export function judgeNotice({ method, params }, about, { asked, subscribed }) {
  const rule = 'nothing reaches a wrong client';
  const client = about.name;
  if (method === 'notifications/message') return judgeLog(params, about);
  if (method === 'notifications/resources/updated' && !subscribed.has(params.uri))
    return { rule, detail: `told of ${params.uri}, to which it never subscribed` };
  if (method !== 'notifications/progress') return undefined;
  const request = asked.get(params.progressToken);
  if (request === undefined)
    return { rule, detail: `progress of ${params.progressToken}, which it never asked` };
  const said = parseText(params.message);
  // The hub's own progress messages name no client.
  if (said?.client === undefined) return undefined;
  if (said.client !== client) return { rule, detail: `progress of ${said.client}`, call: said.call };
  return said.call === request.call
    ? undefined
    : { rule: 'answers match', detail: `progress of ${said.call} under the token of ${request.call}` };
}

export function isOwnQuestion(asked, client) {
  return asked?.client === client;
}

export function parseText(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
