import { type Diagnosis, type DiagnosisRule, lineRule, quoted } from './output-rows.ts';

/** Ports, permissions, memory, and network. */
export const machineRows: readonly DiagnosisRule[] = [
  lineRule(/\bEADDRINUSE\b.{0,120}?:(\d{1,5})$/, ([port = '']) => portTaken(port)),
  lineRule(/address already in use.{0,60}?[: ](\d{2,5})\)?\b/i, ([port = '']) => portTaken(port)),
  lineRule(/\('[\w.:]{0,60}', (\d{1,5})\): address already in use/i, ([port = '']) => portTaken(port)),
  lineRule(/:(\d{1,5}): bind: address already in use/, ([port = '']) => portTaken(port)),
  lineRule(/:(\d{1,5}) failed: port is already allocated/, ([port = '']) => portTaken(port)),
  lineRule(/\bEADDRINUSE\b|Address already in use|WinError 10048|port is already allocated/i, () =>
    portTaken(''),
  ),
  lineRule(/JavaScript heap out of memory|^MemoryError\b|Cannot allocate memory|out of memory/i, () => ({
    code: 'out_of_memory',
    sentence: 'The server ran out of memory.',
    fix: 'Close other programs, or give it more: NODE_OPTIONS=--max-old-space-size=4096 for Node.js.',
  })),
  lineRule(/ENOSPC|No space left on device/, () => ({
    code: 'disk_full',
    sentence: 'The disk is full.',
    fix: 'Free some space, then try again.',
  })),
  lineRule(/EACCES: permission denied, \w{1,20} '([^']{1,300})'/, ([path = '']) => denied(path)),
  lineRule(/PermissionError: \[Errno 13\] Permission denied: '([^']{1,300})'/, ([path = '']) => denied(path)),
  lineRule(/listen EACCES: permission denied .{0,60}?:(\d{1,5})$/, ([port = '']) => ({
    code: 'permission_denied',
    subject: port,
    sentence: `The server is not allowed to use port ${port}.`,
    fix: 'Choose a port above 1023 in the config.',
  })),
  lineRule(/\bspawn (\S{1,300}) EACCES/, ([path = '']) => notExecutable(path)),
  lineRule(
    /^(?:\S{1,60}: )?(?:line )?(?:\d{1,6}: )?(\/?[\w.@/+-]{1,300}): Permission denied$/,
    ([path = '']) => notExecutable(path),
  ),
  lineRule(
    /SELF_SIGNED_CERT|self[- ]signed certificate|UNABLE_TO_(?:VERIFY|GET_ISSUER)|unable to (?:verify the first|get local issuer) certificate|CERT_HAS_EXPIRED|certificate has expired|CERTIFICATE_VERIFY_FAILED|certificate verify failed|invalid peer certificate/i,
    () => ({
      code: 'certificate',
      sentence: 'A secure connection failed: this computer does not trust the certificate of the other side.',
      fix: 'Behind a company proxy, set NODE_EXTRA_CA_CERTS (Node.js) or SSL_CERT_FILE (Python, uv) to its certificate.',
    }),
  ),
  lineRule(
    /Proxy Authentication Required|tunneling socket could not be established|ERR_PROXY|Proxy response .{0,40}(?:407|!== 200)|Cannot connect to proxy/i,
    () => ({
      code: 'proxy',
      sentence: 'The proxy refused the connection.',
      fix: 'Fix HTTPS_PROXY, or the user name and password in it.',
    }),
  ),
  lineRule(/getaddrinfo (?:ENOTFOUND|EAI_AGAIN) ([\w.-]{1,200})/, ([host = '']) => hostMissing(host)),
  lineRule(/could not translate host name "([^"]{1,200})"/, ([host = '']) => hostMissing(host)),
  lineRule(/[Ff]ailed to resolve '([^']{1,200})'/, ([host = '']) => hostMissing(host)),
  lineRule(/lookup ([\w.-]{1,200})(?: on [\d.:]{1,60})?: no such host/, ([host = '']) => hostMissing(host)),
  lineRule(/Could not resolve host(?:name)?:? ([\w.-]{1,200})/i, ([host = '']) => hostMissing(host)),
  lineRule(/Temporary failure in name resolution|Name or service not known|nodename nor servname/, () =>
    hostMissing(''),
  ),
  lineRule(/connect ECONNREFUSED ([\w.:[\]-]{1,100})/, ([address = '']) => refused(address)),
  lineRule(
    /server at "([^"]{1,100})"(?: \([^)]{1,60}\))?, port (\d{1,5}) failed: Connection refused/,
    ([host = '', port = '']) => refused(`${host}:${port}`),
  ),
  lineRule(/dial tcp ([\w.:[\]-]{1,100}): connect: connection refused/, ([address = '']) => refused(address)),
  lineRule(/Connection refused/i, () => refused('')),
];

function portTaken(port: string): Diagnosis {
  return {
    code: 'port_in_use',
    subject: port === '' ? undefined : port,
    sentence:
      port === ''
        ? 'The port that the server needs is in use.'
        : `Port ${port} is in use by another program.`,
    fix: 'Close the other program, which may be a second copy of this server, or choose another port in the config.',
  };
}

function denied(path: string): Diagnosis {
  return {
    code: 'permission_denied',
    subject: path,
    sentence: `The server is not allowed to use ${path}.`,
    fix: 'Get permission for this path, or choose another path in the config.',
  };
}

export function notExecutable(path: string): Diagnosis {
  return {
    code: 'not_executable',
    subject: path,
    sentence: `${path} is not executable.`,
    fix: 'Make the file executable, then try again.',
  };
}

function hostMissing(host: string): Diagnosis {
  return {
    code: 'host_not_found',
    subject: host === '' ? undefined : host,
    sentence: `${host === '' ? 'A host that the server needs' : host} was not found. Are you online?`,
    fix: 'Check your internet connection, and the name of the host in the config.',
  };
}

function refused(address: string): Diagnosis {
  return {
    code: 'connection_refused',
    subject: address === '' ? undefined : quoted(address),
    sentence:
      address === ''
        ? 'A service that the server needs refused the connection.'
        : `Nothing is listening on ${quoted(address)}, which the server needs.`,
    fix: 'Start that service, or fix its address in the config.',
  };
}
