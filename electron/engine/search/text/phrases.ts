import type { Stems } from './terms.ts';
import type { Word } from './words.ts';

/**
 * Maps phrases that mean something other than their words to the words of tools: `throw away > delete remove`.
 * Up to three other words may stand before the last word of a phrase, as in `throw this file away`.
 */
const lines = `
add up > sum total calculate
as text > transcribe transcript extract
ask around > poll survey
back up > backup export copy
bring back > restore recover undo
bring down > stop lower decrease
bring up > open start show
bring up to date > update sync refresh
call back > callback call reply
call off > cancel
call up > open get call
carry out > run execute
catch up > recent history summary unread
change back > revert restore undo
check in > checkin commit register
check off > complete finish mark
check on > status get
check out > checkout get
clean up > clean delete remove prune format
clear out > delete clear purge
close down > close stop shutdown
come up > upcoming next
count up > count total
cross off > complete finish mark
cut down > trim shorten reduce
cut off > stop block disconnect
cut out > crop trim extract remove
deal with > handle process resolve
do again > repeat retry redo
dial in > call join
draw up > create write generate
drop off > upload deliver
end up > result
figure out > analyze calculate find solve
fill in > fill form complete
fill out > fill form complete
find out > find search get check
free up > clear delete release
get in touch > contact message send email
get rid of > delete remove
get together > meeting event
give away > donate transfer share
give back > return refund
give up > cancel
go back > previous return undo back
go through > list read review
go over > review read
go to > navigate open visit
going on > activity recent status event
hand in > submit
hand out > distribute share assign
hand over > assign transfer share
hang up > end call stop
hold off > pause delay
hook up > connect link integrate
how big > size dimension
how busy > traffic usage load
how far > distance
how fast > speed
how high > elevation height altitude
how hot > temperature weather
how cold > temperature weather
how large > size
how long > duration time length
how many > count number statistic total
how many times > count frequency
how much > amount price cost
how often > frequency
how old > age
how well > performance
in charge > owner assignee responsible
keep an eye > monitor watch track
keep in mind > remember memory save
keep out > block ban
keep track > track monitor log
keep up > follow subscribe
kick off > start trigger run
kick out > kick remove ban
lay out > layout arrange
leave out > exclude filter
let go > release remove
let in > allow invite grant
let know > notify message send
line up > align schedule
link up > connect link
lock out > block disable
log in > login sign authenticate
log out > logout
look after > manage monitor
look around > explore browse search
look at > view get show
look for > search find
look into > investigate analyze inspect
look like > preview image screenshot
look over > review inspect
look through > search browse list
look up > search find get lookup
made of > material component composition
make a copy > copy duplicate clone
make bigger > resize scale enlarge
make public > publish visibility share
make room > delete clear
make smaller > compress resize reduce shrink
make sure > check verify validate
make up > generate create random
mark down > note
mean by > definition
move on > next
note down > note create write
open up > open
out loud > speech voice audio
pass on > forward send share
pay back > refund repay
pay for > payment purchase buy
pick out > select choose filter
pick up > get receive resume
play back > playback play
point out > highlight comment
print out > print
pull down > download
pull out > extract get
pull up > open get show
push back > reschedule postpone delay
put away > archive store
put back > restore revert undo
put in > add insert
put off > postpone reschedule delay
put on hold > pause hold suspend
put together > create build compose merge combine
put up > post publish create
read out > speech voice read
roll back > rollback revert restore undo
roll out > rollout deploy release
rule out > exclude filter
run by > run
run into > error
save for later > bookmark save
scale down > scale reduce
scale up > scale increase
send back > return reply
send off > send
set aside > save reserve archive
set off > trigger start
set up > create configure setup install
shut down > stop shutdown terminate
shut off > turn off stop disable
sign in > login authenticate
sign off > approve
sign out > logout
sign up > register subscribe create account
slow down > slow performance
sort out > sort organize resolve
speak to > call contact message
split up > split divide
start over > reset restart
stand for > meaning definition abbreviation
step back > undo previous
sum up > summarize summary
swap out > replace
switch off > turn off disable
switch on > turn on enable
switch over > switch change
take a look > view get show
take apart > split parse
take away > remove delete revoke subtract
take back > revert undo return
take care > manage handle
take down > remove delete stop
take off > remove
take out > remove extract
take over > assign transfer
talk to > chat message call
tell apart > compare distinguish
tell off > warn
thumbs up > reaction like emoji
thumbs down > reaction dislike
throw away > delete remove trash
throw out > delete remove trash kick
tidy up > organize clean format
to do > task todo
track down > find locate search
try again > retry rerun
try out > test
turn around > rotate flip
turn back > revert
turn down > reject decline lower volume
turn into > convert transform
turn off > disable stop
turn on > enable start
turn up > volume increase
type in > type fill input
up to date > latest current update
used up > usage quota limit
wake up > wake start resume
walk through > guide list
warm up > heat
what time > time
wind up > end
wipe out > delete clear
work on > edit
work out > calculate solve
write back > reply
write down > write note save create
write up > write document report
zoom in > zoom scale
`;

/** A phrase of a query. */
interface FoundPhrase {
  /** The first word of the phrase. */
  readonly word: Word;
  /** Stems of what the phrase means. */
  readonly means: readonly string[];
}

interface Phrase {
  /** Stems of its words. */
  readonly words: readonly string[];
  readonly means: readonly string[];
}

/** Phrases by the stem of their first word. */
export type Phrases = ReadonlyMap<string, readonly Phrase[]>;

export function buildPhrases(stems: Stems): Phrases {
  const phrases = new Map<string, Phrase[]>();
  for (const line of lines.trim().split('\n')) {
    const [words = [], means = []] = line
      .split(' > ')
      .map((side) => side.split(' ').map((word) => stems.of(word)));
    const first = words[0] ?? '';
    phrases.set(first, [...(phrases.get(first) ?? []), { words, means }]);
  }
  return phrases;
}

/** Finds the phrases among the words of a query. */
export function phrasesIn(words: readonly Word[], stems: Stems, phrases: Phrases): readonly FoundPhrase[] {
  const said = words.map(({ text }) => stems.of(text));
  return words.flatMap((word, at) =>
    (phrases.get(said[at] ?? '') ?? []).flatMap((phrase) =>
      stands(said, phrase.words, at) ? [{ word, means: phrase.means }] : [],
    ),
  );
}

function stands(said: readonly string[], phrase: readonly string[], at: number): boolean {
  const before = phrase.slice(0, -1);
  if (!before.every((word, index) => said[at + index] === word)) return false;
  const from = at + before.length;
  return said.slice(from, from + maxBetween + 1).includes(phrase.at(-1) ?? '');
}

/** Words between the last word of a phrase and those before it. */
const maxBetween = 3;
