/**
 * Filler words about the person asking rather than the request: they count, since a tool may be about them,
 * but less than other words.
 */
export const weakWords: ReadonlySet<string> = new Set(
  `able absolutely according accurate actually additional additionally advance afterwards again allow allows along
  already although always amazing among anybody anymore anyone anything anyway appreciate appropriate asap ask
  asking aspects assist assistance assistant associated aware away awesome based basically become believe best
  better beyond bit briefly bring bunch carefully certain certainly clear clearly come comes complete completely
  comprehensive concerned confused consider considering could couple curious dear definitely depth desired
  desperately detail detailed details different difficult don effective effectively efficient efficiently either
  else engaging enough ensure entire especially essential even eventually ever every everybody everyone
  everything exact exactly excellent excited expect extensive extremely factors fantastic finally first firstly
  focused focusing following frustrated frustrating furthermore generally give given glad gonna good got gotten
  great greatly guidance guys happy hello help helpful helping helps hey hi highly hope hoping however ideally
  immediately important included includes including inform information instead intend intended interested
  interesting involving kindly lastly lately let likely ll looking looks major maybe mentioned moment moreover
  naturally necessary need needed needing needs next nice none obtain often okay one ones options otherwise
  overall overview particular particularly perfect perhaps personally please pleased plus possible possibly
  potential potentially prefer preferably prefered preferences preferred pretty proper properly provide provides
  providing purpose quickly quite rather re really reason recently regarding relevant reliable request require
  required requires respective respectively secondly see seem seems sense several significant simple simply
  since situation somehow someone something sometimes soon sorry specific specifically specified still
  subsequently successful successfully such suitable suppose sure tailored thank thankful thanks thing things
  think thirdly thorough thoroughly though together took totally tough tried truly trying typically ultimately
  unfortunately unless unsure upon urgent urgently useful usually utilize utilizing valuable variety various ve
  want wanted wanting wants way ways well whatever whether whole wide willing wish without wonder wonderful
  wondering worried would wow wrong yes yet`.split(/\s+/),
);
