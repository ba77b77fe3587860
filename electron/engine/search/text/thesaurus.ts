import { everydayLines } from './everyday-words.ts';
import { tradeLines } from './trade-words.ts';

/**
 * Maps words that people use to the words that tools use. A line relates its words in both directions; `a > b
 * c` only from left to right.
 */
const lines = `
create add make new insert register
create > open write build compose draft start
open > create
delete remove erase drop destroy discard trash
clear purge prune > delete remove
purge clear flush invalidate
clean rid > prune remove delete isolate
update change modify edit alter patch set
adjust rename move reschedule > update
rename > move
move transfer relocate
list show enumerate browse display
list > search find
all overview > list
get read fetch retrieve view show load
see check look > get list read status
lookup look > search find get
search find query discover locate seek
where > find search
send post publish submit
drop > send
tell notify inform ping > send post message
ping > health
reply answer respond
write > create send post append edit
run execute invoke trigger launch start call
open spin boot > start run
stop shut halt kill terminate end
shut > stop
restart rerun retry redo repeat
deploy release ship publish rollout
rollback revert undo restore previous
undo revert > reset rollback
cancel abort
approve accept confirm
merge > pull request
review inspect > diff get approve
compare difference > diff
diff changes compare difference
copy duplicate clone fork
save store keep remember persist
remember recall memorize > memory observation knowledge
jot note > append write note
download save export
upload attach share
share grant give > permission access
analyze analyse summarize inspect examine profile
scan check audit
convert transform turn translate
draw plot chart graph visualize diagram
generate produce synthesize make > create
assign delegate > update
move transition status
complete finish done close resolve
invite attendee guest participant
join joined > add
mute silence snooze suppress
block ban forbid
subscribe follow
pay payment charge bill billing
money > payment refund balance price
bill > invoice cost
invoice bill receipt
refund reimburse money back return
buyer customer client shopper purchaser
client account customer company
coupon discount voucher promo
parcel package shipment order delivery > order fulfill
ship shipped > fulfill deploy
stock > inventory quote
quantity stock inventory
subscription recurring monthly plan month
price cost quote value rate
share stock equity ticker
earnings revenue profit fundamentals
bitcoin ethereum crypto coin cryptocurrency token
euro dollar yen pound currency > currency exchange rate
bug defect error crash exception failure
bug > issue ticket
issue ticket task story
ticket > issue
task todo reminder
remind reminder > task todo
sprint iteration cycle
project repository repo
repo repository
branch > checkout
pull merge
commit revision changeset
staged stage staging
history log timeline
wrote author blame who > blame
message chat dm
message > send
mail email letter
inbox mailbox > message email mail
vacation away holiday > office automatic reply out
meeting appointment event invitation
schedule book plan > create event meeting
available availability > free
everyone everybody team people
everyone everybody team > attendees
colleague coworker teammate member person people
people member user person
user member person account
role permission privilege
access login sign
password credential
credential secret password token key
leaked exposed > secret scanning alert
rotate > revoke
certificate tls ssl
left leaves offboard > deactivate
vulnerability security hole weakness cve
wiki > page confluence
page article document
document file doc
note page memo
today > daily
pdf document
disk filesystem drive
folder directory path
file document
config configuration setting
spreadsheet sheet excel table workbook
row record
csv data
cell range
column field
schema structure describe columns
slow > explain query trace performance
slow latency performance
speed fast faster > index
lookup > index find
database db sql
join group count > aggregate
grouped > aggregate
key > get set
cache cached
expire ttl minutes > expiry
url link address page web site
website site web page
website site > url
scrape crawl extract
markdown text > markdown
text article content > extract
headline news
press > news
picture image photo drawing
picture photo > image
icon logo image
mockup design frame layout
color colour palette > variable
screenshot capture
button link element
press tap > click
form field input
submit > fill form
javascript js script
video clip film
captions subtitles transcript
transcribe dictate > speech text
speak say aloud read > speech voice
aloud voice audio speech
podcast recording audio
noise background
music song track
song > track play
playing > current track
like > reaction
tweet post status
social tweet twitter
followers audience
comment remark feedback
weather forecast temperature
rain snow sun storm > weather forecast
warm warmer heat heating cold > temperature thermostat
light lamp bulb
scene routine > automation
place restaurant business location poi
restaurant cafe bar near nearby > place local
route direction drive driving > directions
far distance
city town place
coordinates latitude longitude
clock > time
time > timezone
container pod
pod > kubernetes
instance vm machine server
cluster node
memory ram cpu > memory top
cpu ram usage > top
cloud aws
bill spend spending spent expenses > cost usage
domain dns
cdn edge > cache purge
pipeline build workflow ci
red failed broken > failure failed
build > pipeline
randomly intermittent unreliable > flaky
flaky > tests
green passing > status
test tests spec
shell terminal console command
command > process run
process program
program command > process
logs log output stdout
tail > log logs
alert alarm notification
monitor alert
outage incident downtime
metric metrics timeseries statistics
stats statistics analytics
production live prod
crash > error issue
trace span transaction endpoint
oncall duty call
dashboard panel
class function symbol method variable
definition declaration > symbol find
usage reference > referencing
library package dependency sdk framework
docs documentation manual reference
how > docs documentation
ai model llm
model network
dataset corpus
think reason reasoning thought
carefully hard problem > thinking
similar semantic meaning > find
fact information knowledge
know > graph knowledge search
conversation > memory store information
lead prospect opportunity
deal opportunity pipeline
sales > deal crm
phone call
support helpdesk > ticket
requests > ticket
hours worked > worklog time
block blocks blocked blocker > dependency dependencies link
pr > pull request
report file > create
report > issue
forget > delete remove
decline reject refuse deny
fake dummy stub > mock
lint linter style > lint
postgres postgresql psql > postgresql
k8s kubernetes kubectl
pod replica deployment > kubectl
droplet vm instance
owe spend > balance billing
reach expose tunnel > port forward
term terminology > glossary
bold italic font > format
join combine merge
watch changes changed > monitor
leak heap > memory snapshot
version revision history
address coordinates > geocode
car drive > driving directions
opening hours > details
react emoji > reaction
older previous > version history
`;

const allLines = [lines, everydayLines, tradeLines].flatMap((some) => some.trim().split('\n'));

/** Returns all words of the thesaurus. */
export function knownWords(): ReadonlySet<string> {
  return new Set(allLines.flatMap((line) => line.replace(' >', '').split(' ')));
}

/** Builds the related stems of each stem. */
export function buildThesaurus(stem: (word: string) => string): ReadonlyMap<string, ReadonlySet<string>> {
  const related = new Map<string, Set<string>>();
  const relate = (from: string, to: string) => {
    if (from === to) return;
    const known = related.get(from) ?? new Set();
    related.set(from, known.add(to));
  };
  for (const line of allLines) {
    const [left = '', right] = line.split(' > ');
    const sources = left.split(' ').map(stem);
    const targets = right === undefined ? sources : right.split(' ').map(stem);
    for (const source of sources) for (const target of targets) relate(source, target);
  }
  return related;
}
