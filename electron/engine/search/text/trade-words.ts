/** Maps words by field of work, in the form of the thesaurus: what people say, and what programs call it. */
export const tradeLines = `
restore recover undelete reinstate
bin trash recycle > trash delete
deleted trashed > trash restore
lost missing > find search restore
size large big huge > size
newest latest recent current
recently lately > recent latest
oldest earliest first
contents content
subfolder subdirectory nested > directory tree folder
zip compress archive pack
unzip extract decompress unpack
owner owned belongs > owner permission
collaborator editor viewer > permission share member
private public visible hidden > visibility permission
secure protect protected > security permission encrypt
extension suffix > type format
attach attachment file
preview view open
md markdown > markdown file
txt text > file text
docx doc > word document
xlsx xls > excel spreadsheet workbook
pptx ppt deck > presentation slide powerpoint
csv tsv > csv data table
json xml yaml > json format
png jpg jpeg webp > image
mp3 wav > audio
mp4 mov avi > video
www http https com > url website webpage
root home > path directory file
save > write file
report > write document
title heading headline
headline heading > title
subtitle caption
bullet bullets > list
footer header > page
page pages
section chapter
paragraph passage
outline structure contents
table grid
tick checkbox > check complete
unread new > message
junk spam
label tag category
folder label > mailbox
unsent draft
recipient addressee > send
postpone delay defer > reschedule update
rsvp > attendee respond event
busy free > availability
today tomorrow yesterday weekend > date day time
hour hours minute minutes > time duration
timesheet hours worked > time entry log
clock > timer time
stopwatch > timer
deadline due > date
overdue late > due
urgent critical > priority
priority importance severity
responsible assignee owner
unassigned > assignee
subtask child > parent
parent > epic
milestone release version
stuck blocked > block dependency
label labels tag tags
contributor contributors > author commit
main master trunk default > branch
history past > log commit
conflict conflicts > merge
unreleased released > release
release tag version
snippet gist code
repo codebase > code
library module package
upgrade update latest > version
outdated old stale > version update
license licence
vulnerable vulnerabilities > vulnerability security
component widget element
example sample demo
tutorial guide howto > documentation example
signature parameters arguments > function
rows row records record entries entry
insert add append
mongo mongodb
postgres pg
sum total average group > aggregate
average mean avg
maximum highest top most best
minimum lowest least
duplicate duplicates > unique
relation relationship link
constraint key > index schema
backup dump > export
timeout expire expiration ttl > expire
expiry expiration expires
queue message
member members > list user
replica replicas instances > scale
reboot restart
crashed crashing down > restart status logs error
healthy alive up > health status
environment env variable
variable variables > env
secret secrets > env
hostname host server
port ports > network
open > port
traffic visits visitors > analytics
visitor visits > traffic
budget spending > cost
quota limit usage
spike anomaly unusual
quiet silence > mute
warning warn alert
suspicious malicious harmful dangerous > malware threat report scan
hash checksum sha md5
infected virus > malware scan
safe unsafe > security scan
ip address > host
exposed open > port scan host
hacker attacker > attack threat
attack attacks threat
ban block > moderate
moderate moderation > ban delete
reset change > password
permission right rights allowed
allow permit grant
username user handle account
group team organization
nickname alias > name
folder > ls
cpu processor
installed software > package application
machine computer device host
computer pc laptop machine > system device
phone mobile smartphone device
landscape portrait rotate > orientation
orientation rotate
louder quieter loud volume
volume loudness sound
mute silent
pause resume
skip next
previous back
shuffle random
loop repeat
queue next > playlist
artist band singer
similar related like > recommend similar
recommendation recommendations suggestions
popular top hot > trending
discover explore browse
subscriber subscribers > follower
follower followers fans
like liked favorite favourite > like
favorite favourite starred saved bookmark
repost retweet share
viral trending
profile bio account
upload post publish
thumbnail cover > image
transcript subtitles spoken > transcript
spoken said > transcript speech
lamp lights > light
bright dim > brightness light
warm cold hot temperature
heating cooling ac > climate thermostat temperature
indoor outside outdoor > temperature weather
outside outdoors > weather
sunrise sunset
blinds shutter curtain > cover
lock unlock
motion movement > sensor
battery charge power
electricity power energy
nearest closest near > nearby distance
street address
walk walking drive driving cycle cycling > directions route
fastest shortest > route
lane road street
flat apartment
flat apartment house cottage villa > rent listing accommodation
rent rental booking > listing
overnight night nights > hotel stay
room bed > hotel stay
guest guests > booking
fly flying > flight
layover connection stopover > flight
luggage baggage > flight
passenger seat > flight ticket
timetable schedule departure arrival
departure arrival > flight train
platform > station
owner owns holder shareholder stake
holder shareholder investor
worth valuation > value price market
analyst analysts > recommendation rating
rating upgrade downgrade > recommendation
chart charts > history price
gain gains loss losses performance
annual yearly quarterly > financial statement
profit income earnings
debt assets liabilities > balance sheet
invoice invoices billing
paid unpaid outstanding > invoice payment
reminder remind > notification
shipping shipped delivery > tracking shipment
track > tracking status
dispute chargeback > claim
customer buyer shopper
order purchase
sold selling > sales order
bestseller bestselling > top popular
store shop
author writer researcher
study studies paper papers publication publications article
publication published > paper
cite cites cited citation citations refer refers reference references
quote quoted > citation
bibliography references sources > citation
journal magazine
abstract summary
summary overview gist brief
overview introduction intro > summary
encyclopedia encyclopaedia > wikipedia article
explain explanation describe > summary definition
define definition meaning
biography > article
trial study > clinical
patient recruiting > trial
side effect effects > adverse
weigh weight
reps sets lifting > workout exercise
workout session training
jog jogging run > running
meal recipe dish
polite politely formal informal tone > rephrase style
tone style
reword rewrite rephrase
synonym similar > word
native foreign > language translate
accent pronounce > speech
voice speaker speak
picture photo drawing > generate image
drawing artwork art > image
sketch draft
background foreground > image
edit editing retouch > edit
shrink enlarge bigger smaller > resize scale
resize scale
cut crop trim clip
merge combine concatenate join
crop trim > image video
color colour
font typeface
model models > llm
chatbot bot assistant
prompt instruction
generate generation create
classify classification categorize label
dataset data
subject theme topic
topic category > subject
source sources > reference
site domain
address addresses > url link
link links url urls
website sitemap > map crawl
crawl spider
headline headlines news
competitor competitors rival
company firm
employee staff > user people
colleague coworker > user
hire hiring > job
vacancy opening openings > job
applicant candidate
form survey
answer answers response responses
question questions ask
vote votes poll
countdown remaining left > time
random pick choose > random
dice coin flip > random
count number quantity amount total
quantity amount
statistics stats figures numbers
compare versus difference
difference differences diff change
highest ranking leaderboard
score scores result results
standing standings rank ranking table
win won winner > result
move moves > play
player opponent > match
rule rules > condition policy
filter exclude
sort order
group cluster category
select pick choose
pick choose > select
confirm verify check
valid invalid > validate
correct fix repair
mistake mistakes error errors > error
broken failing fails > error failed
failure failed fail
reason cause why > error log
progress state > status
status state condition
finished done completed > complete status
running active ongoing > status list
pending waiting open
open unresolved > status
closed resolved
enable activate switch
disable deactivate
enabled disabled > status
subscribe unsubscribe > subscription
register signup > create account
connect link attach
disconnect detach unlink > remove
link > relation
switch change toggle
toggle switch
increase raise higher
decrease lower reduce
lower decrease
copy paste
swap replace exchange
replace substitute
empty blank clear
fill populate
wait sleep delay
repeat again > retry
schedule scheduled > schedule
automatic automatically > automation trigger
trigger fire > run
callback webhook
notification alert message
forward pass > forward
quote > reply
reply response
pin pinned
mention mentions > search
mention mentions tag
everyone all
thread conversation
channel room
room chat
bigger smaller > size resize
delete drop erase wipe
wipe > clear delete flush
discard > delete cancel
hide > visibility
star bookmark favorite
label sticker > label
rights access > permission
external guest > share permission
who whom > user owner author
whose > owner author user
person someone people > user member
boss manager supervisor > manager
staff crew squad > team
everything > all
anything something > search
place put > create add move
stick > add pin
hand give > assign send
fetch bring > get
grab pull > get fetch
peek glance > get view
hear listen > audio play
watch see > video get
show display render
explain describe
clarify > explain
tidy neat > format clean
pretty beautify > format
messy > clean format
ready > status
existing exists exist > check get
missing absent > check find
same identical > duplicate compare
exact precise > match
match matching > search find
contain contains containing mention mentions mentioning > search find
inside within > in search
lookup resolve > find
guess > predict
likely chance odds > probability predict
trend direction > history trend
over > history
between > range compare
range interval period > date time
since until > date
last previous > history recent
ago > history
next upcoming future > upcoming
soon > upcoming
morning afternoon evening noon midnight > time
monday tuesday wednesday thursday friday saturday sunday > date calendar day
january february march april june july august september october november december > date month
daily weekly monthly hourly > schedule interval
cron > schedule
weekday weekend > day
year month week > date
birthday > date
slot opening > availability
book reserve reservation booking
appointment > calendar event
lunch dinner breakfast > meeting event restaurant
conference call > meeting
speak talk > call message
ring dial > call
text > sms message
post letter > mail
newsletter mailing > email campaign
signature footer > email
greeting hello hi > hello
thanks thank > message
announce announcement broadcast > message send
crowd audience > member
moderator admin administrator > role
topic channel thread
avatar > profile image
nickname > member user
emoji emoticon smiley reaction
poll vote survey
gif sticker > emoji
voice audio > message
ticket case request > issue
bug glitch flaw > issue bug
feature wish > issue
estimate points > story
burndown velocity > sprint report
board lane column > board
swimlane column lane
plan roadmap > project milestone
todo chore errand > task
checklist steps > task
recurring repeat > schedule
commit checkin
patch fix > commit
tree blob > file
readme > file get
tests passing > test status
pipeline check > status run
artifact binary > build
secret key token credential
login password credential > authentication
twofactor otp mfa > authentication
cert certificate ssl tls
deploy rollout ship
downscale upscale > scale
grow shrink > scale resize
autoscale scaling scale
eviction node > drain
drain cordon > node
manifest yaml > apply resource
apply > create update
volume disk storage
bucket folder > storage object
object file > storage
worker function lambda > serverless
cron job > schedule
schema ddl > table describe
ddl migration > schema
structure columns fields > schema describe
query sql > select
procedure function > database
count rows > query
key value > cache
hash map dictionary > hash
set member > set
sorted leaderboard > zset score
list push pop > list
publish subscriber > channel message
vector embedding similarity
document record > collection
replace overwrite > update
bulk batch many several > bulk batch
import ingest load upload
export dump download
sample preview > limit
spreadsheet tab > sheet worksheet
tab sheet worksheet
header column > field
formula calculation function > formula
pivot summary > pivot aggregate
bar pie line scatter > chart
diagram flow > diagram flowchart
layout template theme
slide page
paragraph sentence > text
wordcount words > count
language locale
translate convert > language
spell grammar > check
unit measure units > convert
celsius fahrenheit > temperature convert
mile kilometer kilometre meter foot inch > distance convert
pound kilogram gram ounce > weight convert
money cash > currency balance
coin token cryptocurrency
wallet address > balance
gas fee > transaction
swap exchange trade
candle candlestick ohlc > price chart
volume turnover > trading
dividend payout yield
split splits > stock
capitalization cap > market
filing report > sec
balance sheet > financial statement
expense expenses spending cost
subscription plan membership
payment transaction
payout withdrawal > transfer
customer account > client
cart order > checkout
inventory stock quantity
variant option size > product
collection catalog catalogue > product
vendor supplier seller merchant
delivery courier carrier > shipping
campaign promotion > marketing
lead contact
deal opportunity
pipeline stage > deal
note comment remark
agent operator > support
satisfaction nps > survey rating
macro canned > template reply
escalate priority > update
`;
