/** Maps everyday words to the words that tools use, in the form of the thesaurus. */
export const everydayLines = `
hungry eat eating dine dining dinner lunch breakfast brunch > restaurant food meal recipe
restaurant bistro diner eatery cuisine steakhouse
cook cooking bake baking > recipe food meal
recipe dish meal
chef ingredient cake pasta soup salad dessert > recipe cooking
vegan vegetarian keto gluten > diet recipe food
calorie calories nutrition nutrient protein carb carbohydrate vitamin > diet calorie nutrition food
slim obese overweight > diet weight fitness
grocery groceries supermarket > store food shopping
drink beverage wine beer cocktail > drink alcohol
workout exercise gym fitness training
muscle yoga squat running jog jogging marathon > workout fitness exercise
healthy health wellness medical
doctor physician hospital clinic nurse > health medical
sick illness disease symptom condition
medicine medication drug pill prescription pharmaceutical
virus infection covid coronavirus flu vaccine pandemic > health covid virus
therapy cure treatment
cancer diabetes tumor > disease clinical medical trial
patient participant > clinical
car vehicle auto automobile automotive
suv sedan truck convertible motorcycle > car vehicle
dealer dealership
tesla electric ev > vehicle charging charger
gasoline petrol fuel gas diesel
park parking carpark
traffic road roadwork congestion
speed speeding
travel trip journey vacation holiday tour tourism itinerary
vacation getaway honeymoon > travel trip hotel
hotel hostel motel lodging accommodation airbnb
stay room resort > hotel accommodation
sightseeing landmark museum attraction tourist > attraction travel
visit visiting > travel attraction place
flight airline plane airfare > flight travel
pilot aviation aircraft airport flight flying
train railway rail subway metro bus transit > transit route station transport
subway metro underground
transport transportation transit
map navigate navigation > map route
nearby local neighborhood near > local nearby
plumber hairdresser barber salon dentist electrician mechanic > local service business
repair fix > local service
shop shopping store purchase buy buying > shopping product
cart basket checkout
cheap cheapest affordable inexpensive bargain > discount price deal
discount coupon voucher promo deal sale
afford budget > price cost
product item goods merchandise
laptop smartphone headphone headphones speaker camera tv television gadget > product electronics
shoe shoes sneaker dress jacket jeans shirt clothes clothing apparel outfit wear
wear dress > fashion style
fashion style trendy
tshirt hoodie > apparel shirt
cosmetics makeup beauty skincare
lipstick mascara shampoo moisturizer perfume > beauty cosmetics
gift present souvenir
birthday anniversary christmas valentine wedding > gift
father dad daddy
mother mom mum
kid kids child children toddler baby
preschool kindergarten > children educational
versus vs better difference > compare comparison
compare comparison
pros cons advantage disadvantage drawback
review opinion rating feedback
rent rental lease tenant apartment flat landlord > rent house
apartment condo house home property
bedroom mortgage realtor > house property
estate property realty
invest investing investment investor
portfolio holdings allocation
stock share equity nasdaq
trading trader broker > stock market
crypto bitcoin ethereum btc eth xrp blockchain
loan mortgage debt repayment interest credit > loan finance calculator
salary wage income pay
tax taxes vat
donate donation charity charitable nonprofit ngo
fund funding grant
money finance financial
bank banking > finance account
currency usd eur gbp jpy dollar euro forex > exchange currency
job career employment vacancy occupation
hire hiring recruit recruiter recruiting recruitment candidate
hire > freelance talent
freelance freelancer contractor
interview > job career
resume cv curriculum
application > job
company business firm enterprise corporation organization
startup entrepreneur > business startup
customer prospect lead
sales selling sell revenue
marketing advertising advertisement promotion advert ad
ads advertisement > ad
campaign ppc adwords > ad advertising
seo ranking rank serp backlink
rank ranking > seo search
keyword term phrase
competitor rival competition
brand branding logo
agency firm
newsletter subscription > newsletter
influencer instagram tiktok facebook > social media
hashtag caption > social
viral trend trending popular
headline breaking news
newspaper journalist press > news
politics politician political government parliament
election vote voting candidate
congress senator lobbying legislation bill > congress political
law legal lawyer attorney court lawsuit > law legal
regulation legislation statute act > law
religion religious islam islamic muslim prophet quran > religious
astrology horoscope zodiac
aries taurus gemini leo virgo libra scorpio sagittarius capricorn aquarius pisces > horoscope astrology
tarot fortune divination
personality introvert extrovert character trait
habit routine
decide decision choice dilemma
goal goals motivation
school student teacher classroom lesson > course learning education
course class lesson tutorial lecture
learn study studying > learning course
university college degree
exam test quiz ielts toefl
flashcard memorize spaced
language spanish french german japanese chinese italian korean portuguese > language translate
translate translation
pronounce pronunciation accent vocabulary > language
essay paragraph writing > text write
write writing author writer
rewrite rephrase paraphrase reword polish
grammar spelling proofread > writing text
plagiarism > text
summarize summary summarise condense shorten gist
novel story tale fiction
poem poetry lyrics > text write
book novel literature reading
author novelist > book
movie film cinema
film series show > movie tv
watch watching streaming stream netflix hulu
actor actress director > movie
comedy drama thriller horror documentary > movie show
entertainment fun > entertainment game
podcast episode
song music track melody tune
singer band artist album concert > music
guitar piano chord instrument
playlist spotify > music
musical theater theatre broadway
ticket tickets seat concert > tickets event
game gaming play
videogame console xbox playstation nintendo steam > game
puzzle riddle crossword sudoku > puzzle game
chess checkers board
dice roll
poker card cards > card game
guess riddle > guess game
soccer football fifa
basketball baseball hockey nba nfl nhl mlb > sports team
sport sports athlete league tournament championship
match fixture game
score result
player team
art painting artwork sculpture
painting drawing sketch > art
museum gallery exhibition
photo photograph picture image
photo picture > image
filter crop resize blur > image edit
video clip footage
youtube vlog > video
gif animation animated
meme joke funny humor
logo banner poster flyer > design image
graphic visual illustration design
design designer
ui ux > design
3d model render > asset
font typography ascii
prompt midjourney
caption describe > image
ocr handwriting scanned scan > text extract
audio voice sound
narration voiceover audiobook > speech audio
planet galaxy mars moon star astronomy cosmos > space
space nasa astronaut universe
astronaut spaceship iss > space
earthquake quake seismic tsunami
disaster hurricane tornado flood wildfire
sunny cloudy humid cold hot umbrella > weather temperature
weather climate
surf surfing wave
pollution smog aqi > air quality
breathe asthma > air
plant plants garden gardening flower houseplant
dog cat pet pets puppy kitten animal
animal wildlife species
science scientific scientist research
paper papers publication journal scholarly academic article study
arxiv pubmed citation > paper research
experiment lab laboratory > research
census demographic population
statistics statistical > data
math mathematics arithmetic algebra equation formula
multiply divide add subtract plus minus sum > calculate calculator
calculate compute computation calculator
percentage fraction root > calculate
graph plot chart pie histogram scatter
flowchart mindmap mind > diagram map
presentation slide slides powerpoint
word document docx
pdf document file
convert export
todo reminder task
remind reminder alarm
note notes jot memo
sms texting > message
whatsapp telegram chat > message
call calls telephone phone
meeting zoom webex > call meeting
email mail inbox
outreach contact reach
domain hostname
website site webpage homepage
blog post blogging wordpress > website post
website > site
browse browsing browser
link url
host hosting > deploy website
deploy launch publish
app application software
mobile android ios iphone > app
code coding programming programmer developer
developer programmer engineer
github repository
javascript python java > code programming
scratch sprite > programming
api endpoint webhook
hack hacked hacker breach leaked > security breach
virus malware phishing > security scan
password credential login
server linux ubuntu > server
disk storage memory cpu > server
query sql database
select join table > sql
dataset data
automate automation workflow
integrate integration connect
survey questionnaire poll form
qr barcode
shorten > url
history historical ancient
war revolution century empire > history
past former old > history
date day calendar
timezone clock hour > time
zip postcode postal > address code
country nation
city town
identify recognize detect
verify validate validation check authenticate authentication
predict prediction forecast
estimate evaluate assess assessment evaluation
monitor track tracking
measure measurement
simulate simulation
optimize optimise optimization
recommend recommendation suggest suggestion advice
suggest > recommend
teach teaching educate education
translate interpret
purchase order
cancel > delete remove
expert professional specialist
`;
