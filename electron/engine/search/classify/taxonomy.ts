/** A built-in skill. */
export interface TaxonomySkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Words that vote for it; a trailing `!` counts double, `?` half. */
  readonly words: string;
  readonly products: string;
}

/** The skill of tools that no other skill fits. */
export const otherSkill = 'other';

/**
 * The skills of tools. Rules use the words; a model gets names and descriptions. One table, hence the length
 * of this file.
 */
export const taxonomy: readonly TaxonomySkill[] = [
  {
    id: 'files',
    name: 'Files and folders',
    description: 'Read, write, find and move files, on this machine or in storage.',
    words:
      'file! files! folder! directory! path? filename! rename upload? download? attachment? disk! permissions? tree bucket object? glob archive zip unzip overwrite copy? drive storage! vault? csv? s3! blob',
    products: 'filesystem dropbox box onedrive gdrive s3 minio nextcloud sftp',
  },
  {
    id: 'version-control',
    name: 'Version control',
    description: 'Working trees, commits, branches and their history.',
    words:
      'git! commit! commits! branch! checkout! stage! staged! unstage! blame! rebase! stash! cherry tag? diff? worktree! revision! head? push? pull? clone? repo_path! working? merge? history?',
    products: 'git svn mercurial jujutsu',
  },
  {
    id: 'code-hosting',
    name: 'Code hosting',
    description: 'Repositories, pull requests and reviews on a platform.',
    words:
      'repository! repositories! repo! fork! pull! merge! branch? review? gist! star? release? commit? code? approve? owner? collaborator! diff? mergerequest!',
    products: 'github gitlab bitbucket gitea forgejo codeberg azure-devops',
  },
  {
    id: 'code-analysis',
    name: 'Code understanding',
    description: 'Symbols, searches in code, libraries and their documentation.',
    words:
      'code! symbol! symbols! function? class? syntax! ast! lint! linter! refactor! library! libraries! dependency? documentation? docs? reference? references? referencing! definition! regex? regular? expression? source? static? semgrep! coverage! complexity! language? outline? snippet! examples? test? tests? flaky? trace? stack? body? npm! package! packages! component! components! changelog! version? versions? deprecated! maintainers! react! css? typescript! maven! dependencies! eslint! license? readme!',
    products:
      'context7 serena semgrep sonarqube eslint sourcegraph lsp language-server ast-grep deepwiki npm npm-sentinel maven shadcn shadcn-ui mui magicuidesign ant-design antd storybook',
  },
  {
    id: 'ci-cd',
    name: 'Builds and deployments',
    description: 'Pipelines, workflows, builds, releases and rollbacks.',
    words:
      'pipeline! pipelines! workflow! workflows! build! builds! deploy! deployment! deployments! rollback! job! jobs! release? releases? artifact! artifacts! ci! cd! rerun! preview? production? flaky! helm! chart? dockerfile! stage? stages? manifest?',
    products:
      'circleci jenkins vercel netlify buildkite argocd github-actions heroku railway render teamcity',
  },
  {
    id: 'issue-tracking',
    name: 'Issues and tasks',
    description: 'Issues, tickets, to-dos, sprints and projects.',
    words:
      'issue! issues! ticket! tickets! task! tasks! subtask! sprint! backlog! board? boards? epic! story? milestone! assignee! assign? jql! todo! project? projects? worklog! due? priority! label? labels? cycle! cycles! kanban! dependency? dependencies? complete? transition? bug! bugs!',
    products: 'jira linear asana trello todoist clickup monday shortcut youtrack ticktick things plane',
  },
  {
    id: 'messaging',
    name: 'Chat and messages',
    description: 'Channels, threads and direct messages.',
    words:
      'message! messages! channel! channels! thread! reaction! emoji! chat! dm! direct? workspace? conversation! mention! guild? sms! post? reply? notify? notification? publish? subscribers?',
    products: 'slack discord telegram whatsapp teams mattermost signal matrix twilio line',
  },
  {
    id: 'email',
    name: 'Email',
    description: 'Send, read and sort mail.',
    words:
      'email! emails! mail! mails! mailbox! inbox! draft? subject! cc! bcc! attachment? recipients! torecipients! newsletter! spam! folder? label? labels? automatic? away? unsubscribe!',
    products: 'gmail outlook imap smtp sendgrid mailgun resend postmark fastmail mailchimp',
  },
  {
    id: 'calendar',
    name: 'Calendar',
    description: 'Events, meetings and free time.',
    words:
      'calendar! calendars! event! events? meeting! meetings! schedule! schedules? invite? invitation! attendees! appointment! free? slot! availability! reschedule! oncall? timezone? when?',
    products: 'google-calendar calendly cal caldav ical',
  },
  {
    id: 'documents',
    name: 'Documents and notes',
    description: 'Pages, notes, wikis and office documents.',
    words:
      'page! pages? document! documents! doc! note! notes! wiki! paragraph! heading! markdown? block! blocks! space? comment? comments? article! articles! text? daily? pdf! vault? title? template? slide! slides! presentation! sheet? spreadsheet? table? row? record? content? pptx! docx! powerpoint! footnote!',
    products:
      'notion confluence obsidian google-docs google-drive evernote onenote coda word sharepoint airtable word-document ppt powerpoint',
  },
  {
    id: 'databases',
    name: 'Databases',
    description: 'Queries, tables, documents and keys in a database.',
    words:
      'sql! database! databases! table! tables! schema! schemas! query? column! columns! row? rows? index? indexes! collection! collections! insert? select! statement! statements! transaction? key? keys? hash! aggregate! aggregation! record! records! vacuum! filter? documents? where? field? fields? value? values? kv! namespace? store? vector?',
    products:
      'postgres postgresql sqlite mysql mariadb mongodb redis supabase neo4j clickhouse duckdb bigquery snowflake elasticsearch airtable dynamodb prisma neon d1 cassandra mssql oracle qdrant',
  },
  {
    id: 'data-analysis',
    name: 'Data and spreadsheets',
    description: 'Spreadsheets, tables of figures, charts and statistics.',
    words:
      'spreadsheet! spreadsheets! sheet! sheets! cell! cells! chart! charts! plot! csv! dataframe! statistics! statistic! analyze? analysis! pivot! report? reports? range? rows? notebook! data? summarize? dataset! tabs? figure? formatting? excel! worksheet! worksheets! workbook! calculate! calculator! math! diagram! diagrams! graph? histogram! correlation!',
    products: 'google-sheets excel pandas jupyter tableau looker powerbi metabase calculator',
  },
  {
    id: 'web-search',
    name: 'Web search',
    description: 'Search the web, news and pictures.',
    words:
      'search? web! news! internet! results? freshness! query? find? papers! research! online! local? image? images? video? videos? search_depth!',
    products:
      'brave brave-search tavily google-search duckduckgo exa serper serpapi bing perplexity kagi searxng arxiv',
  },
  {
    id: 'web-content',
    name: 'Reading web pages',
    description: 'Fetch, scrape and crawl pages and addresses.',
    words:
      'url! urls! scrape! crawl! crawler? website! websites! site! html! fetch! http! page? pages? markdown? extract! addresses? structured? web? link? sitemap! headers? api? map?',
    products: 'firecrawl fetch apify jina crawl4ai tavily scrapingbee',
  },
  {
    id: 'web-browsing',
    name: 'Browser control',
    description: 'Navigate, click and type in a browser.',
    words:
      'browser! click! hover! navigate! element! elements? page? selector! screenshot! form! dropdown! viewport! dom! tab? tabs? headless! type? fill! console? javascript? accessibility! snapshot! input? scroll! cookie! cookies!',
    products: 'playwright puppeteer selenium browserbase chrome chromium browser stagehand',
  },
  {
    id: 'knowledge-memory',
    name: 'Memory and knowledge',
    description: 'Facts, graphs and vectors kept for later.',
    words:
      'memory! memories! remember! knowledge! graph! entity? entities! relation! relations! observation! observations! node? nodes? vector! vectors! embedding! embeddings! similar! semantic! recall! insight! fact! facts! collection? store? information? memo! notes? points?',
    products: 'memory mem0 qdrant chroma pinecone weaviate zep graphiti milvus basic-memory',
  },
  {
    id: 'reasoning',
    name: 'Thinking and planning',
    description: 'Think step by step, plan, reflect.',
    words:
      'think! thinking! thought! thoughts! reason! reasoning! step! reflect! plan! branch? problem! revise! sequentialthinking! brainstorm!',
    products: 'sequential-thinking think think-tool mcp-reasoner clear-thought',
  },
  {
    id: 'maps-location',
    name: 'Maps and places',
    description: 'Addresses, routes and places.',
    words:
      'map? maps! address! coordinates! latitude! longitude! geocode! route! routes? directions! distance! place! places! nearby! travel! elevation! restaurant! restaurants! location! locations! businesses! origin! destination? radius!',
    products: 'google-maps mapbox openstreetmap osm here yelp amap',
  },
  {
    id: 'weather',
    name: 'Weather',
    description: 'Forecasts, warnings and air.',
    words:
      'weather! forecast! temperature? wind! humidity! rain! snow! air! pollen! climate! severe! warnings! storm! sunrise! latitude? longitude?',
    products: 'weather openweather openweathermap accuweather nws meteo open-meteo',
  },
  {
    id: 'time-units',
    name: 'Time and units',
    description: 'Clocks, timezones and conversions.',
    words:
      'time! timezone! timezones! clock! convert! conversion! unit! units! date? dates? now? currencies? exchange? current?',
    products: 'time clock units timezone',
  },
  {
    id: 'payments',
    name: 'Payments and shops',
    description: 'Invoices, refunds, orders and products.',
    words:
      'payment! payments! invoice! invoices! refund! subscription! subscriptions! charge! chargebacks! customer? customers? price? balance! order! orders! product! products! coupon! discount! stock? inventory! shipped! shop! cart! checkout? tax! billing! paid! pay! money! dispute! disputes! buyer! cost! spent! tracking?',
    products: 'stripe shopify paypal square woocommerce adyen razorpay quickbooks xero',
  },
  {
    id: 'crm',
    name: 'Customers and sales',
    description: 'Contacts, deals and support of customers.',
    words:
      'contact! contacts! customer! customers! deal! deals! lead! leads! account? crm! sales! opportunity! company! companies? ticket? tickets? support! help! phone? requester! pipeline? record? records? address? soql!',
    products: 'hubspot salesforce zendesk intercom pipedrive freshdesk zoho attio',
  },
  {
    id: 'monitoring',
    name: 'Monitoring and logs',
    description: 'Errors, metrics, logs, alerts and incidents.',
    words:
      'log! logs! metric! metrics! alert! alerts! monitor! monitors! error! errors! crash! trace! traces! dashboard! dashboards! incident! incidents! oncall! latency! prometheus! promql! logql! loki! uptime! slow! health! annotation! panels! spans? memory? cpu! output? host? hosts! signed? statistics? events? usage? requests?',
    products:
      'sentry grafana datadog newrelic prometheus pagerduty honeycomb cloudwatch splunk betterstack axiom',
  },
  {
    id: 'cloud-infrastructure',
    name: 'Cloud and containers',
    description: 'Machines, containers, clusters, networks and DNS.',
    words:
      'container! containers! pod! pods! cluster! clusters! instance! instances! namespace! image? images? lambda! worker! workers! dns! zone! bucket! buckets! region! virtual! machine? machines! deployment? replicas! node? nodes! volume! volumes! domain! cache! edge! iam! kubernetes! terraform! manifest! server? servers? account? service? services? whois! ip? droplet! droplets! firewall! vpc! compose? kubectl! helm?',
    products:
      'aws cloudflare kubernetes k8s docker gcp azure terraform digitalocean podman fly pulumi hetzner linode whois',
  },
  {
    id: 'command-execution',
    name: 'Running commands',
    description: 'Shells, processes and code that is run.',
    words:
      'command! commands! shell! terminal! process! processes! execute! run? script! python! javascript? sandbox! pid! program! console? bash! stdin! package? cwd! evaluate! code? kill! function? node?',
    products: 'desktop-commander shell terminal python ssh e2b code-runner python-runner windows-cli',
  },
  {
    id: 'media-design',
    name: 'Pictures, sound and design',
    description: 'Images, audio, video, music and layouts.',
    words:
      'image! images! picture! design! layer! layers! icon! icons! color! colors! font! fonts! audio! voice! voices! speech! sound! song! songs! music! playlist! track? tracks! album! albums! video! videos? frame! layout! play! recording! transcribe! transcript? draw? screenshot? figma! photo! render? noise! svg! png! canvas! gif! photos! animation! animations?',
    products:
      'figma elevenlabs spotify canva photoshop blender imagen dalle stable-diffusion ffmpeg cloudinary',
  },
  {
    id: 'social-media',
    name: 'Social media',
    description: 'Posts, videos, followers and trends.',
    words:
      'tweet! tweets! post? posts! follower! followers! follows! timeline! like? subscribers! views! channel? channels? video? videos? trending! popular! hashtag! profile? username! comments? feed! social! subreddit! transcript! submissions? stories! story? news?',
    products:
      'twitter x youtube reddit linkedin instagram facebook mastodon bluesky tiktok hackernews hackernews trends-hub weibo',
  },
  {
    id: 'finance-markets',
    name: 'Markets',
    description: 'Stocks, currencies and coins.',
    words:
      'stock! stocks! quote! price! prices! market! symbol? earnings! margin! coin! coins! crypto! cryptocurrency! currency! currencies! exchange! rate! portfolio! ticker! dividend! forex! trading! daily?',
    products: 'alphavantage coingecko yahoo-finance binance polygon alpaca coinmarketcap finnhub',
  },
  {
    id: 'smart-home',
    name: 'Smart home',
    description: 'Lights, sensors and devices of a house.',
    words:
      'light! lights! switch! sensor! device! devices? thermostat! temperature? brightness! automation! house! home! entity_id! turn! entity? lamp! blinds! lock? scene!',
    products: 'home-assistant homeassistant hue homekit smartthings openhab',
  },
  {
    id: 'security',
    name: 'Security and secrets',
    description: 'Secrets, certificates, vulnerabilities and policies.',
    words:
      'secret! secrets! vulnerability! vulnerabilities! security! scan? scanning! certificate! tls! policy! policies! token? password? encrypt! decrypt! credential! credentials! leak! holes! findings! severity? cve! signed? revoke! ttl?',
    products: 'vault semgrep snyk 1password bitwarden trivy wiz burp virustotal shodan',
  },
  {
    id: 'user-administration',
    name: 'People and access',
    description: 'Accounts, groups, roles and permissions.',
    words:
      'user! users! group! groups! role! roles! member! members! permission! permissions? password! access! deactivate! organization? sign? ban! invite? team? teams? account? accounts? people? iam! access? applications? share? login! logout! profile? identity! authentication!',
    products: 'okta auth0 keycloak entra azure-ad workos clerk jumpcloud',
  },
  {
    id: 'machine-learning',
    name: 'Models and datasets',
    description: 'Run, find and train models.',
    words:
      'model! models! prediction! predictions! dataset! datasets! train! training! inference! prompt! hub! spaces! space? generate? machine? learning! llm! finetune! embedding? speech? clone? paper? papers?',
    products: 'huggingface replicate openai anthropic ollama fal together wandb mlflow elevenlabs',
  },
  {
    id: 'language',
    name: 'Languages',
    description: 'Translations, dictionaries and glossaries.',
    words:
      'translate! translation! translations! translator! language! languages! glossary! dictionary! grammar! spelling? pronunciation! vocabulary! synonym! multilingual! locale? detect_language!',
    products: 'lara deepl lingo',
  },
  {
    id: 'games-leisure',
    name: 'Games and leisure',
    description: 'Games, sports, films and books.',
    words:
      'game! games! player! players! team? league! tournament! champion! champions! esports! chess! board? dice! cards! deck! puzzle! quiz! leaderboard! sport! sports! film! movie! movies! anime! manga! book? books! novel! ranked! summoner! character? characters! weapon! museum! tier? winrate! series? shuffle!',
    products: 'opgg steam chess lichess tmdb imdb ygocdb',
  },
  {
    id: 'health-science',
    name: 'Health and science',
    description: 'Medicine, biology and research.',
    words:
      'health! medical! patient! patients! disease! diseases! drug! drugs! clinical! trial! trials! gene! genes! genetic! genomic! protein! variant? variants! biomedical! pubmed! medicine! symptom! symptoms! diagnosis! cancer! hospital! doctor! calories! nutrition! fitness! workout! biology! chemistry! molecule! compound! species! nct! fda!',
    products: 'biomcp pubmed chembl openfda',
  },
  {
    id: 'travel-food',
    name: 'Travel and food',
    description: 'Trips, tickets, stays, recipes and restaurants.',
    words:
      'travel! trip! trips! hotel! hotels! flight! flights! airport! airline! train! trains! station! stations! booking! listings! accommodation! itinerary! tourism! recipe! recipes! meal! meals! dish! dishes! cook! cooking! ingredient! ingredients! food! restaurant? restaurants? menu! checkin! guests!',
    products: 'airbnb booking tripadvisor howtocook 12306 amadeus',
  },
  {
    id: otherSkill,
    name: 'Other tools',
    description: 'Nothing of the above fits.',
    words: '',
    products: '',
  },
];
