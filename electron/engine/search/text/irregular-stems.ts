/**
 * Lists words that the stemmer would join with words of another meaning (`news` with `new`, `marketing` with
 * `market`) or would not join with their own forms (`children` with `child`). The first word of a line is the stem.
 */
const lines = `
news
marketing marketer marketers
customer customers
customize customized customizing customization customise customised
production productions
productive productivity
important importance importantly
animal animals
animate animated animating animation animations
population populations populated
publication publications
university universities
universe universes
international internationally
engineer engineers engineering engineered
community communities
business businesses
busy busier
documentation
listing listings
settings
authority authorities
authorize authorized authorizes authorizing authorization authorise authorised authorisation
paste pasted pastes pasting
general generally
policy policies
police
organization organizations organisation organisations organizational
organize organized organizing organise organised organizer
rating ratings
meeting meetings
building buildings
wireless
execution executions
executive executives
analysis analyses analyze analyzes analyzed analyzing analyse analysed analysing analyzer analytic analytical
analytics
child children kid kids
person people
man men
woman women
mouse mice
find found finds finding
buy bought buys buying
send sent sends sending
write written wrote writes writing
speak spoke spoken speaks speaking
make made makes making
run ran runs running
sell sold sells selling
pay paid pays paying
build built builds
take took taken takes taking
choose chose chosen chooses choosing
hold held holds holding
leave left leaves leaving
lose lost loses losing
meet met meets
think thought thinks thinking
teach taught teaches teaching
tell told tells telling
throw threw thrown throws throwing
bring brought brings bringing
draw drew drawn draws drawing drawings
drive drove driven drives driving
eat ate eaten eats eating
fly flew flown flies flying flight flights
forget forgot forgotten forgets forgetting
grow grew grown grows growing growth
know knew known knows knowing
ride rode ridden rides riding
say said says saying
see saw seen sees seeing
sing sang sung sings singing
spend spent spends spending
swim swam swum swims swimming
wear wore worn wears wearing
win won wins winning
index indexes indices indexed indexing indexer
conversion conversions
matrix matrices
criterion criteria
vertex vertices
`;

export const irregularStems: ReadonlyMap<string, string> = new Map(
  lines
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [stem = '', ...forms] = line.split(' ');
      return [stem, ...forms].map((form): [string, string] => [form, stem]);
    }),
);
