/** A built-in skill. */
export interface TaxonomySkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Words and phrases (`pull_request`) that vote for it; a trailing `!` counts double, `?` half. */
  readonly words: string;
  /** Names of programs and services; a trailing `?` marks an ordinary word, which counts in a server's name only. */
  readonly products: string;
}

/** The skill of tools about which the rules know nothing. */
export const fallbackSkill = 'utilities';

/**
 * The skills of tools. Rules use the words; a model gets names and descriptions. One table, hence the length
 * of this file.
 */
export const taxonomy: readonly TaxonomySkill[] = [
  {
    id: 'web-search',
    name: 'Web search and scraping',
    description: 'Search the web and news, fetch, crawl and read pages.',
    words: `web_search! internet! search_engine! google_search! web! online news! headline! scrape! scraper! crawl!
      crawler! spider fetch? url! link? web_page! webpage! website! site? html! sitemap! serp! rss! feed? search?
      result? query? query_web! image_search video_search news_search news_article article? page? markdown? extract!
      http! http_request! domain_search job_listing! job_search! job! vacancy! salary? real_estate? property_listing
      deep_research! research? topic? freshness! trending? hot_search proxy? metadata? text_content archive_org
      wayback! snapshot? 网页 新闻 搜索 抓取 热搜 뉴스 ニュース`,
    products: `brave tavily exa duckduckgo ddg firecrawl bing searxng jina google_search serper serpapi searchapi
      perplexity kagi yandex baidu naver? apify scrapingbee scrapingant scrapegraph crawl4ai fetch? brightdata oxylabs
      zenrows hyperbrowser spider? diffbot linkup newsapi gdelt google_news hacker_news? trends_hub reader? mediastack
      feedly rss wayback stepstone indeed glassdoor zillow craigslist tinyfish olostep`,
  },
  {
    id: 'automation',
    name: 'Automation and browsers',
    description: 'Steer browsers and apps, run workflows and scheduled jobs.',
    words: `browser! click! hover! navigate! tab? element! selector! xpath! form_fill fill! screenshot! headless!
      viewport! dom! scroll! drag! keyboard! mouse! keypress! press_key! type_text! dropdown checkbox cookie!
      console_message dialog? iframe! page? accessibility_tree accessibility_snapshot workflow! automate! trigger!
      webhook! macro! bot? rpa! scheduled_job! cron! cron_job! recurring? zap! scenario integration? action?
      run_action node_type desktop_automation gui! window? cursor! tap! swipe! emulator simulator! app_launch android?
      ios? touch accessibility? 浏览器 点击 自动化 工作流 ブラウザ`,
    products: `playwright puppeteer selenium browserbase stagehand chrome chromium browser? firefox safari
      browser_use? cdp n8n zapier make? pipedream ifttt power_automate airflow temporal windmill activepieces node_red
      uipath appium pyautogui autogui autohotkey applescript mobile_mcp maestro scrapybara steel? skyvern hyperbrowser
      prefect kestra dify? comfy? macos_use? shortcuts?`,
  },
  {
    id: 'file-management',
    name: 'Files and storage',
    description: 'Read, write, move and share files and folders, on disk or in the cloud.',
    words: `file! folder! directory! path? file_path! filename! file_name! rename! upload? download? move_file!
      copy_file! delete_file! read_file! write_file! edit_file! list_file! list_directory! search_file! file_content!
      file_system! filesystem! storage! drive! disk! archive? zip! unzip! compress! decompress! tar! glob! tree?
      overwrite! append? line? permission? bucket! object_storage! blob! shared_drive! share? share_link attachment?
      trash backup! sync? workspace? ftp! sftp! temp_file large_file allowed_directory duplicate_file 文件 目录 文件夹 上传 下载
      ファイル フォルダ 파일 폴더`,
    products: `filesystem fs dropbox onedrive gdrive google_drive box? ftp sftp s3 minio nextcloud owncloud sharepoint
      webdav ipfs pinata backblaze rclone icloud seafile mega? wasabi r2 cos oss files? everything? file_manager
      gofile uploadthing filestash`,
  },
  {
    id: 'documents-office',
    name: 'Documents and office',
    description: 'Texts, spreadsheets, slides, PDF and content management.',
    words: `document! doc? docx! word_document! paragraph! heading! header? footer! footnote! page_break pdf! excel!
      xlsx! xls! spreadsheet! worksheet! workbook! sheet! cell! cell_range! row? column? range? formula! slide!
      presentation! powerpoint! pptx! ppt! google_doc! google_sheet! google_slide! office! ocr! scanned! markdown!
      template! cms! blog_post! blog! content_type! content_entry entry? page? page_content convert_pdf! pdf_convert!
      convert_document! bullet! text_box shape? table? form! survey! questionnaire! form_response! signature! sign?
      contract? resume! cv! letter! invoice_template latex! epub! ebook? html_pdf merge_cell font? formatting!
      diagram? mind_map! mindmap! flowchart! whiteboard! sticky_note! media_library publish? draft? translation?
      word_count! document_text note? section? wiki_page 文档 表格 幻灯片 演示 文書 スプレッドシート 문서`,
    products: `word? docx excel google_docs google_sheets google_slides sheets? powerpoint ppt pptx office office365
      microsoft_365 libreoffice wordpress contentful sanity strapi ghost? drupal webflow storyblok directus prismic
      dato datocms pandoc markitdown markdownify gamma? canva? docusign pdf ocr mistral_ocr tesseract typeform jotform
      tally? google_forms google_workspace coda confluence airtable? smartsheet gitbook markmap xmind miro? overleaf
      latex marp adobe_pdf lark feishu yuque wps dingtalk? paperless hugo wix squarespace`,
  },
  {
    id: 'databases',
    name: 'Databases',
    description: 'Query and change databases, tables, collections and keys.',
    words: `database! db! sql! sql_query! query! table! table_schema! schema! column! row! record! collection! index?
      index_database primary_key foreign_key! constraint! view? stored_procedure! trigger? transaction? insert!
      upsert! update_data delete_data select! select_query! join? where? vacuum! explain_plan execution_plan!
      query_plan! slow_query! aggregate! document? key_value! key? hash! set_member zset! sorted_set! ttl!
      vector_store! vector_database! vector? embedding? cypher! graph_database! graphql? nosql! data_warehouse!
      warehouse! dataset? partition replica? connection? connection_string! migration! backup? tablespace! namespace?
      shard! realtime_database base? cache! redis_key 数据库 表结构 数据表 データベース 데이터베이스`,
    products: `postgres postgresql pg mysql mariadb sqlite mongodb mongo redis valkey neo4j elasticsearch opensearch
      firestore firebase supabase dynamodb snowflake bigquery clickhouse duckdb motherduck oracle mssql sql_server
      cassandra couchbase couchdb neon planetscale turso libsql cockroachdb tidb airtable baserow nocodb prisma d1
      qdrant? pinecone? chroma? weaviate? milvus? tdengine influxdb? timescale redshift athena databricks trino presto
      hive? dremio starrocks doris analyticdb polardb oceanbase dameng surrealdb fauna arangodb nebula memgraph
      falkordb singlestore vertica teradata db2 kusto adx upstash memcached convex xano pocketbase appwrite database?
      dbhub teable iceberg greptimedb`,
  },
  {
    id: 'data-analysis',
    name: 'Data analysis and charts',
    description: 'Figures, statistics, notebooks, dashboards and charts.',
    words: `chart! bar_chart! line_chart! pie_chart! plot! scatter! histogram! heatmap! treemap! sankey! radar_chart!
      boxplot! graph? visualization! dataset! data_frame! dataframe! csv! statistic! analytics! analyze? analyze_data!
      data_analysis! dashboard! report! report_data notebook! jupyter! kernel! pivot! aggregate! bi!
      business_intelligence! insight! trend? metric! dimension! kpi! regression! correlation! forecast? outlier!
      distribution! time_series! segment? cohort! funnel! retention! pageview! visitor! traffic? conversion?
      event_count census! indicator! open_data! population! demographic! gdp! survey_data data_source! data_catalog!
      data_quality semantic_layer! lineage! word_cloud! diagram? mermaid! parquet! json_data query_data explore_data
      图表 数据分析 统计 分析 データ分析 グラフ 차트 통계`,
    products: `google_analytics ga4 superset metabase tableau looker power_bi jupyter pandas numpy polars matplotlib
      plotly echarts antv vega vega_lite quickchart chart? mermaid amplitude mixpanel posthog heap? segment? dbt cube?
      redash hex? kaggle rstudio matlab matomo umami plausible quicksight sigma? domo datahub openmetadata world_bank
      eurostat fred? census? ckan data_gov data_commons statista wolfram stata spss observable count? vizro`,
  },
  {
    id: 'software-development',
    name: 'Software development',
    description: 'Code, libraries, packages, components, tests, API descriptions and their documentation.',
    words: `code! source_code! code_snippet! snippet! programming! programmer! developer! library! package!
      package_version! dependency! npm! pypi! crate! gem? module! documentation! doc! library_documentation!
      api_documentation! api_spec! openapi! swagger! endpoint? api? sdk! component! ui_component! component_library!
      react! vue! angular! svelte! tailwind! css! html? typescript! javascript! python! java! rust! golang! php! lint!
      linter! test! unit_test! test_case! test_suite! debug! debugger! breakpoint! stack_trace! variable? function!
      class? symbol! syntax! ast! compile! refactor! codebase! ide! editor? build! build_error! scaffold! boilerplate!
      project_structure! framework! design_system! storybook! regex? regular_expression? interface? type_definition!
      method? reference? changelog! deprecated! license? semver! version? cli? app_store? mobile_app! android_studio
      xcode! simulator? emulator? game_engine? smart_contract? mock! fixture? coverage! static_analysis! code_quality!
      code_analysis! code_generation! generate_code! template_project? mcp_server? tool_definition json_schema!
      graphql! grpc! protobuf! localization! i18n! 代码 组件 组件库 编程 コード コンポーネント 코드`,
    products: `context7 npm pypi maven gradle nuget cargo crates rubygems packagist docker_hub? shadcn shadcn_ui mui
      magicui magic? ant_design antd storybook chakra tailwind tailwindcss flowbite daisyui radix heroui aceternity
      vscode jetbrains intellij cursor? xcode eslint biome prettier sonarqube serena semgrep? sourcegraph lsp
      language_server tree_sitter ast_grep deepwiki openapi swagger postman apifox insomnia apidog stoplight readme?
      mintlify docs? abap sap? react react_native vue nuxt next nextjs angular svelte flutter dart expo laravel django
      rails spring dotnet unity? unreal? godot? roslyn gdb lldb delve jest vitest cypress? pytest browserstack
      testrail lambdatest repomix gitingest code_index codegen devdocs mdn stackoverflow langchain_docs llms_txt
      raycast anydb lvgl arduino? espressif rust_docs cppreference mcp_inspector fastmcp smithery hoverfly wiremock
      microsoft_docs microsoft_learn aws_documentation apple_docs`,
  },
  {
    id: 'version-control',
    name: 'Version control',
    description: 'Repositories, commits, branches, reviews and pull requests.',
    words: `git! github! gitlab! repository! repo! commit! branch! pull_request! merge_request! merge! diff! fork!
      clone? push? pull? checkout! stash! rebase! cherry_pick! staged! unstaged! tag? release_tag! release? blame!
      worktree! submodule! working_tree! remote? code_review! reviewer! gist! star? contributor! collaborator!
      issue_repository changeset! revision! svn! conflict! patch? discussion? notification? organization_repository
      repo_path! git_log! git_status! code_search? search_code! workflow_run? 仓库 提交 分支 リポジトリ 저장소`,
    products: `git github gitlab bitbucket gitea gitee forgejo codeberg azure_devops? gerrit phabricator svn
      subversion mercurial perforce jujutsu sourcehut gogs gitcode coding? github_trending graphite? reviewboard
      aws_codecommit`,
  },
  {
    id: 'cloud-devops',
    name: 'Cloud and operations',
    description: 'Machines, clusters, deployments, networks, DNS and pipelines.',
    words: `deploy! deployment! kubernetes! cluster! pod! container! docker! docker_compose! image? container_image!
      node? namespace! helm! manifest? replica! rollout! scale? autoscale! ingress! load_balancer! service? instance!
      server_instance! virtual_machine! vm! droplet! cloud! cloud_resource! subscription? resource_group! region!
      zone! availability_zone dns! dns_record! domain! domain_name! subdomain! nameserver! whois! cdn! edge! worker!
      lambda! serverless! function_app cloud_function! queue! pubsub! topic? bucket? vpc! subnet! network! ip_address!
      gateway! proxy! vpn! firewall? ssl? certificate? terraform! infrastructure! infrastructure_code provision!
      stack! environment_variable! environment? secret? pipeline! ci! cd! build? job? workflow_run! artifact!
      registry! rollback! hosting! web_hosting! server? restart? machine! volume! quota! iam! cost_explorer
      cloud_cost! project? preview_deployment! kafka! message_broker! broker! consumer_group! router! switch_port
      firmware? wifi! nginx! snmp! port? 部署 容器 集群 服务器 域名 クラウド 클라우드`,
    products: `kubernetes k8s kubectl docker podman helm argocd argo? istio aws azure gcp google_cloud cloud_run
      alibaba_cloud aliyun tencent_cloud huawei_cloud volcengine vercel netlify railway? render? fly? heroku
      cloudflare digitalocean linode hetzner vultr ovh terraform pulumi ansible chef? puppet? jenkins circleci
      github_actions buildkite teamcity travis drone? azure_devops octopus_deploy spacelift nomad consul openshift
      rancher portainer proxmox vmware vsphere esxi openstack nginx caddy traefik route53 godaddy namecheap porkbun
      dnsimple whois rdap coolify dokku cdk cloudformation localstack fastly akamai bunny zeabur sealos deno_deploy
      kafka confluent rabbitmq pulsar nats mqtt_broker unifi mikrotik cisco fortinet juniper meraki netbox opnsense
      pfsense tailscale wireguard globalping koyeb e2b? fly_io salesforce_dx? harness codemagic eas backstage port_io`,
  },
  {
    id: 'monitoring',
    name: 'Monitoring',
    description: 'Logs, metrics, errors, alerts and health of systems.',
    words: `monitor! log! log_entry! log_query! metric! alert! alert_rule! alarm! incident! on_call! oncall!
      escalation! error_tracking! error_event crash! exception! trace! span! telemetry! opentelemetry! observability!
      uptime! downtime! outage! health_check! heartbeat! status_page! latency! throughput! performance? slow?
      dashboard! panel! prometheus! promql! logql! label_value! time_range? anomaly! threshold! usage? cpu!
      memory_usage! disk_usage! cpu_usage! system_resource! gpu! apm! profiler! host? annotation! slo! sla? synthetic!
      probe! ping! silence! mute? lighthouse! core_web_vital! page_speed! stack_trace? issue_event 日志 监控 告警 指标 ログ 監視
      모니터링`,
    products: `sentry grafana datadog new_relic prometheus pagerduty opsgenie honeycomb cloudwatch splunk betterstack
      axiom loki tempo? jaeger zipkin elastic_apm kibana logfire dynatrace appdynamics zabbix nagios checkmk
      uptime_kuma uptimerobot victoriametrics victorialogs influxdb rollbar bugsnag raygun statuspage incident_io
      rootly firehydrant langfuse? langsmith? opik? phoenix? lightstep signoz coralogix sumo_logic graylog netdata
      pyroscope last9 cronitor checkly pagespeed lighthouse logz mezmo papertrail highlight? instana thousandeyes
      alertmanager`,
  },
  {
    id: 'security',
    name: 'Security',
    description: 'Vulnerabilities, threats, secrets, identities and policies.',
    words: `security! vulnerability! cve! cvss! cwe! threat! threat_intelligence! malware! virus! ransomware!
      phishing! exploit! payload? attack! mitre! scan! scanner! port_scan! penetration! pentest! reconnaissance!
      recon! subdomain_enumeration osint! breach! leak! indicator_compromise ioc! yara! sandbox_report forensics!
      memory_dump reverse_engineering! decompile! disassemble! binary! function_address password! secret! credential!
      token? api_key! vault! encrypt! decrypt! cryptography! cipher! hash_file signature? certificate! tls! ssl!
      authentication! authorization! oauth! sso! login? mfa! otp! totp! identity! user_role role! permission!
      access_control! rbac! policy! compliance! audit! audit_log risk_score! risk? firewall! waf! siem! detection!
      finding! severity! abuse! reputation! blacklist! suspicious! fraud! kyc! privacy! gdpr! pii! redact! sbom!
      patch_management endpoint_protection injection! xss! fuzz! 漏洞 安全 威胁 密码 脆弱性 セキュリティ 보안`,
    products: `virustotal shodan censys nmap burp metasploit nuclei wireshark? semgrep snyk trivy sonatype wiz?
      crowdstrike sentinelone vault? hashicorp_vault 1password bitwarden lastpass okta auth0 keycloak entra azure_ad
      workos clerk? jumpcloud descope fusionauth abuseipdb greynoise urlscan alienvault otx misp opencti mitre nvd osv
      epss kev malwarebazaar hackthebox tryhackme ghidra ida ida_pro radare2 binary_ninja x64dbg jadx frida volatility
      theharvester maigret sherlock haveibeenpwned hibp securitytrails zoomeye fofa hunter? bloodhound sqlmap
      hexstrike kali gitguardian trufflehog gitleaks dependabot prowler scoutsuite wazuh elastic_security qualys
      tenable nessus rapid7 intruder? vanta drata duo? yubikey dnstwist hashcat ffuf wpscan intezer any_run?`,
  },
  {
    id: 'system-terminal',
    name: 'System and terminal',
    description: 'Commands, shells, processes and settings of a machine.',
    words: `shell! shell_command! terminal! command! command_line! execute_command! run_command! bash! powershell!
      zsh! cmd! process! kill_process! pid! ssh! stdin! stdout! stderr! script! run_script! execute_script! run_code!
      execute_code! execute_python! code_execution! code_interpreter! interpreter! repl! sandbox! operating_system!
      system_info! system_information! environment_variable? env? macos! linux! windows! registry? service? session?
      working_directory! cwd! sudo! daemon! installed_package apt? brew! clipboard! volume_level brightness? display?
      desktop! screen! notification? battery! bluetooth! hardware! host_info uptime? exit_code! timeout? tmux! cli!
      program? application? launch? open_app settings? system! kernel? local_machine remote_server 命令 终端 进程 系统 コマンド 명령`,
    products: `desktop_commander shell terminal? iterm iterm2 tmux bash powershell ssh windows_cli wsl macos osx
      applescript homebrew linux e2b code_runner python_runner code_interpreter pyodide riza commands? cli?
      system_info systemd command? windows? raspberry? daytona microsandbox computer_use? win_cli ubuntu adb? putty
      telnet`,
  },
  {
    id: 'ai-models',
    name: 'AI and models',
    description: 'Models, prompts, agents, inference and data sets.',
    words: `model? ai! ai_model! llm! language_model! prompt! prompt_template! system_prompt! prompt_engineering
      inference! completion! chat_completion! chatbot! gpt! agent! sub_agent! multi_agent! ai_agent! ai_assistant!
      reasoning! think! sequential_thinking! chain_thought! chain_draft! tree_thought hypothesis! reflection!
      brainstorm! decision? mental_model! debate! critique! perspective! problem_solving! planning? fine_tune!
      finetune! training! train_model! dataset? hugging_face! embedding! vector? classifier! classification?
      machine_learning! deep_learning! neural! neural_network! transformer? predict! token_count! context_window!
      hallucination! evaluation! eval? benchmark! experiment! checkpoint! gpu? ask_model ask_question? second_opinion
      consult? vision_model multimodal! text_generation! generate_text! summarize? sentiment! rag! conversation_model
      knowledge_distillation sampling? guardrail! persona! tool_selection mcp_tool? 模型 提示词 思考 推理 人工智能 プロンプト 모델`,
    products: `openai chatgpt gpt anthropic claude gemini? vertex_ai bedrock mistral deepseek grok? xai llama ollama
      openrouter groq together? cohere perplexity? qwen zhipu glm kimi minimax? hugging_face replicate fal? fal_ai
      modelscope lm_studio litellm langchain langgraph langfuse langsmith llamaindex crewai autogen dify coze flowise
      vapi? mlflow wandb weights_biases comet? neptune? clearml kubeflow sagemaker azure_openai azure_ai
      sequential_thinking clear_thought think_tool think? structured_thinking mcp_reasoner chain_of_draft
      chain_of_thought atom_of_thoughts thinking? prompt? prompts? promptlayer prompthub opik phoenix arize
      pollinations? gradio agno ragflow vectara nvidia_nim stability? cerebras watsonx roboflow letta? taskade? a2a
      consult7 zen? second_opinion`,
  },
  {
    id: 'knowledge-memory',
    name: 'Knowledge and memory',
    description: 'Notes, wikis, bookmarks, knowledge graphs and what is remembered.',
    words: `memory! memorize! remember! recall! forget! knowledge! knowledge_base! knowledge_graph! graph? node?
      entity! relation! relationship? observation! note! notebook? daily_note! journal! vault? wiki! wiki_page! page?
      block? backlink! tag? bookmark! highlight! read_later! flashcard! anki_deck! deck? zettelkasten! second_brain!
      retrieve! semantic_search! vector_search! similarity_search! similar? embedding? chunk! document? ingest! rag!
      context! long_term! session_memory store_memory save_memory memory_bank! cache? fact! lesson_learned ontology!
      concept? topic? archive? library? collection? insight? idea? thought? capture! reference? citation?
      personal_knowledge user_preference preference! 记忆 笔记 知识 知识库 メモ 知識 メモリ 메모 지식`,
    products: `memory mem0 zep graphiti letta cognee basic_memory memory_bank openmemory supermemory obsidian notion
      logseq roam_research roam? evernote onenote bear? apple_notes joplin siyuan craft? anytype capacities tana
      reflect? anki readwise raindrop pocket? instapaper pinboard linkwarden karakeep zotero? mediawiki outline?
      bookstack qdrant chroma pinecone weaviate milvus lancedb pgvector txtai ragie inkeep graphlit needle?
      notebooklm? memos flomo trilium devonthink heptabase mymind notes? rag? knowledge? memento hackmd`,
  },
  {
    id: 'communication',
    name: 'Messages and mail',
    description: 'Chat, mail, calls and text messages.',
    words: `message! send_message! direct_message! dm! chat! channel! group_chat! thread! reply! reaction! emoji!
      mention! email! e_mail! mail! mailbox! inbox! send_email! draft! subject! cc! bcc! recipient! sender!
      attachment? spam! unread! forward? unsubscribe! smtp! imap! newsletter! transactional_email email_template sms!
      text_message! mms! call? phone_call! voice_call! voicemail! phone! phone_number! dial! conversation! contact?
      address_book! webhook? notification! notify! push_notification! announce! broadcast! server_member guild! bot?
      sticker! presence! workspace_user meeting_transcript! video_call! conference_call participant? feedback!
      ask_user! human_loop! signature? mail_label label? filter? verification_code fax! 消息 邮件 邮箱 短信 聊天 通知 メール メッセージ
      チャット 메시지 이메일`,
    products: `slack discord telegram whatsapp teams? microsoft_teams mattermost signal? matrix? rocketchat zulip
      webex zoom? google_chat line? wechat wecom feishu? lark? dingtalk qq kakaotalk viber messenger? imessage gmail
      outlook imap smtp email mail? mailgun sendgrid resend postmark mailtrap ses fastmail protonmail mailchimp?
      mailpit nylas twilio vonage plivo messagebird bird? bandwidth? telnyx ringcentral dialpad aircall openphone
      pushover ntfy pushbullet onesignal courier? novu intercom? front? agentmail mailersend brevo chatwoot gotify
      bark? apprise sinch slack_webhook vapi retell blandai fireflies? mailslurp zoho_mail mailjet exchange?
      google_contacts`,
  },
  {
    id: 'calendar-time',
    name: 'Calendar and time',
    description: 'Events, appointments, bookings, time zones and time tracking.',
    words: `calendar! calendar_event! event! appointment! meeting! schedule! reschedule! invite? attendee!
      availability! available_slot! time_slot! slot! booking_slot free_busy! busy? time_zone! timezone! current_time!
      current_date! time! date! day? week? month? clock! datetime! timestamp! utc! iso_8601 duration! elapsed!
      countdown! time_tracking! time_entry! timesheet! timer! stopwatch! pomodoro! alarm? reminder! holiday! weekday!
      birthday? lunar! solar_term bazi! almanac! anniversary unix_timestamp! relative_time date_difference
      convert_time! working_day business_day! leap_year sunrise? shift! rota! leave_request attendance! project_time
      billable! 时间 日期 日历 日程 会议 农历 八字 カレンダー 予定 時刻 일정 시간`,
    products: `google_calendar calendar? outlook_calendar calendly cal? cal_com caldav ical icalendar doodle savvycal
      nylas_calendar time? clock? timezone datetime toggl clockify harvest? timely? tempo? rescuetime wakatime
      timecamp everhour time_server date? apple_calendar apple_reminders acuity zoom bazi lunar_calendar holidays?
      teamup reclaim motion?`,
  },
  {
    id: 'project-management',
    name: 'Projects and tasks',
    description: 'Tasks, issues, tickets, boards and sprints.',
    words: `task! subtask! to_do! todo! todo_list! task_list! project! issue! issue_type! ticket! board! sprint!
      backlog! epic! user_story! story! milestone! roadmap! assignee! assign! due_date! deadline! priority! kanban!
      card! column? list? swimlane scrum! agile! cycle! transition! jql! worklog! work_item! bug! bug_report! blocker!
      checklist! project_plan! gantt! estimate? story_point! status_update team_member? complete_task! mark_complete!
      shopping_list? okr! objective! goal? label? portfolio? project_management! requirement! prd! workspace? comment?
      feature_request! initiative! action_item 任务 项目 待办 工单 看板 需求 タスク プロジェクト 課題 작업 프로젝트`,
    products: `jira linear asana trello clickup todoist monday? monday_com ticktick things? things3 omnifocus
      microsoft_todo planner? basecamp wrike teamwork? shortcut? youtrack redmine openproject plane? height?
      shrimp_task_manager task_master taskwarrior vikunja github_projects azure_boards azure_devops notion_tasks
      airtable_tasks productboard aha? canny? devrev tapd zentao atlassian smartsheet google_tasks targetprocess
      rally? hive? taiga kanboard focalboard leantime dart_ai bugzilla mantis? todo? tasks? backlog? nulab
      zoho_projects meistertask`,
  },
  {
    id: 'crm-marketing',
    name: 'Customers and marketing',
    description: 'Contacts, deals, support, campaigns, ads and search engine optimisation.',
    words: `crm! customer! customer_support! contact! contact_list lead! lead_generation! deal! opportunity! pipeline?
      account? company! company_profile business_profile sales! sales_pipeline salesperson campaign! email_campaign!
      marketing! ad! ad_group! ad_set! ad_account! advertising! creative? impression! click_rate audience! conversion!
      attribution! seo! keyword! keyword_research! backlink! ranking! search_volume! serp? domain_authority
      competitor! brand! engagement! influencer! survey? nps! support_ticket! helpdesk! help_center! ticket?
      agent_ticket conversation? prospect! outreach! cold_email! enrich! email_finder! verify_email! firmographic!
      persona? copywriting! landing_page! utm! newsletter? subscriber! subscriber_list mailing_list! landing? loyalty!
      referral! affiliate! review_customer testimonial! soql! custom_object association! object_type? recruiting!
      candidate! applicant! employee! hr! human_resource payroll? 客户 营销 广告 关键词 顧客 広告 고객 마케팅`,
    products: `hubspot salesforce zendesk freshdesk freshsales intercom pipedrive zoho zoho_crm attio close? copper?
      dynamics dynamics_365 sugarcrm odoo? erpnext? apollo? apollo_io clay? clearbit zoominfo hunter_io lusha
      rocketreach peopledatalabs crunchbase? google_ads facebook_ads meta_ads linkedin_ads tiktok_ads amazon_ads
      bing_ads adwords semrush ahrefs moz? dataforseo serpstat mailchimp klaviyo activecampaign convertkit kit? brevo
      sendgrid_marketing marketo pardot customer_io braze iterable drip? instantly lemlist smartlead outreach?
      salesloft gong gorgias helpscout kustomer front? crisp? drift? servicenow? typeform_crm google_search_console
      search_console gsc google_business appsflyer adjust? branch? trustpilot g2? capterra bamboohr workday
      greenhouse? lever? ashby gusto? rippling personio highlevel gohighlevel keap folk? twenty? planhat gainsight
      mautic systeme`,
  },
  {
    id: 'ecommerce',
    name: 'Shops and orders',
    description: 'Products, carts, orders, payments and deliveries.',
    words: `product! product_catalog product_search! product_detail order! order_status! place_order! customer_order
      shop! store! storefront! online_store cart! shopping_cart! basket! checkout! price? price_comparison! inventory!
      stock_level! sku! variant! collection? discount! coupon! voucher! promo! promotion? gift_card! payment!
      payment_link! payment_method payment_intent! charge! subscription! subscription_plan billing! refund! dispute!
      chargeback! payout! merchant! seller! buyer! marketplace! auction! bid? listing? shipping! shipment! delivery!
      parcel! package_tracking! tracking_number! courier! carrier! fulfillment! warehouse? logistics! supplier!
      purchase! purchase_order! buy! sell? sale? menu! menu_item! food_delivery! grocery! pizza! catalog! wishlist!
      deal? invoice? customer? receipt! pos! reservation? ticketing? 商品 订单 购物 支付 快递 物流 注文 配送 주문 상품 결제`,
    products: `shopify woocommerce magento bigcommerce prestashop amazon? amazon_seller ebay etsy aliexpress alibaba
      taobao tmall jd shopee lazada mercado_libre mercado_pago walmart target? bestbuy instacart doordash uber_eats
      stripe paypal square? adyen razorpay braintree checkout_com klarna mollie paddle lemonsqueezy gumroad chargebee
      recurly alipay wechat_pay paystack flutterwave payu cashfree phonepe coinbase_commerce medusa saleor
      commercetools shippo easypost aftership shipstation fedex ups usps dhl 17track kroger dominos starbucks zepto
      swiggy zomato flipkart rakuten vtex ecwid printify printful stockx polar? revenuecat xendit midtrans keepa
      toss_payments`,
  },
  {
    id: 'finance',
    name: 'Finance',
    description: 'Stocks, accounts, invoices, budgets and company figures.',
    words: `stock! stock_price! share_price! stock_market! ticker! ticker_symbol! symbol? quote? market! market_data!
      exchange? etf! mutual_fund! fund! bond! treasury! yield! option? option_chain! futures! commodity! gold? silver?
      oil? forex! currency! currency_exchange! exchange_rate! interest_rate! inflation! financial!
      financial_statement! finance! balance_sheet! income_statement! cash_flow! cashflow! earnings! revenue! profit!
      dividend! valuation! market_cap! fundamental! technical_indicator! technical_analysis! moving_average! rsi!
      macd! candlestick? ohlcv! volume? portfolio! invest! investor! broker! brokerage! trade! trading_strategy
      backtest! insider! institutional! shareholder! sec_filing! 10_k filing! annual_report! invoice! bill?
      accounting! ledger! journal_entry! expense! budget! bank! bank_account! account_balance! bank_statement
      transaction! transfer? payment? loan! mortgage! credit! credit_score credit_card! debt! tax! vat! payroll!
      money! fee? salary? crowdfunding! venture_capital startup_funding company_registry! company_number economic!
      economic_data central_bank! prediction_market! stock_screener analyst! recommendation? price_target 股票 基金 财务 财报
      汇率 股价 行情 株価 銘柄 주식 환율 재무`,
    products: `yahoo_finance yfinance alpha_vantage polygon? finnhub twelve_data fmp financial_modeling_prep eodhd
      alpaca interactive_brokers ibkr robinhood schwab zerodha kite? upstox dhan tradingview metatrader mt5 ctrader
      oanda bloomberg morningstar edgar sec_edgar sec? quickbooks xero freshbooks wave? sage? netsuite plaid mercury?
      ynab monarch_money lunch_money firefly wise? revolut qonto monzo tushare akshare baostock eastmoney kospi krx
      fred financial_datasets quiver quiverquant octagon crunchbase pitchbook tiingo marketstack stooq
      open_exchange_rates frankfurter exchangerate currency_converter dart_korea opendart companies_house
      opencorporates investor? stock? stocks? moneyforward freee zoho_books bexio lexoffice polymarket? kalshi? ramp?
      brex tink gocardless finance? norma? hledger beancount tax?`,
  },
  {
    id: 'crypto-blockchain',
    name: 'Crypto and blockchains',
    description: 'Coins, tokens, wallets, contracts and exchanges.',
    words: `crypto! cryptocurrency! bitcoin! btc! ethereum! eth! ether! solana! sol? usdt! usdc! stablecoin! coin!
      token! token_price! token_balance! token_holder! erc20! memecoin! wallet! wallet_address! wallet_balance
      private_key! blockchain! block_number! block_hash! onchain! on_chain! chain! evm! gas! gas_price! mempool!
      smart_contract! contract_address! contract? defi! swap! dex! liquidity! liquidity_pool! pool! yield_farming
      lending? stake! validator! airdrop! nft! nft_collection! dao! governance? bridge? layer_2 rollup! ens! ipfs?
      hash? transaction! transaction_hash! transfer? sign_transaction! signature? whale! market_cap? fear_greed!
      funding_rate! perpetual! leverage! kline! candlestick! trading_pair! order_book! spot? lightning! satoshi!
      testnet! mainnet! rpc! tvl! prediction_market! web3! protocol? rune! ordinal! 加密 代币 区块链 比特币 钱包 合约 暗号資産 암호화폐 비트코인`,
    products: `bitcoin ethereum solana base? polygon? arbitrum optimism avalanche bnb bsc near? sui aptos ton? tron
      cosmos? polkadot cardano xrp stellar? hedera starknet zksync monad sei injective binance coinbase kraken okx
      bybit kucoin bitget mexc gate_io huobi bitfinex deribit hyperliquid uniswap pancakeswap raydium jupiter? orca?
      curve? aave compound? lido pumpfun coingecko coinmarketcap coincap cryptocompare defillama dexscreener dextools
      birdeye etherscan solscan bscscan blockscout alchemy? infura quicknode moralis covalent goldrush helius ankr
      thirdweb chainlink thegraph subgraph dune nansen arkham glassnode santiment messari lunarcrush cryptopanic ccxt
      opensea magic_eden rarible metamask phantom safe? gnosis debank zapper zerion web3 evm crypto polymarket
      bankless wormhole debridge lifi 1inch cow_swap tatum bitcoin_sv nostr_wallet lnbits alby freqtrade hummingbot
      tokenmetrics coinstats heurist`,
  },
  {
    id: 'maps-travel',
    name: 'Maps and travel',
    description: 'Places, routes, flights, trains, stays and restaurants.',
    words: `map! geocode! reverse_geocode! address! coordinate! latitude? longitude? geolocation! location? place!
      nearby! nearby_place! point_interest! poi! radius? distance! distance_matrix! route! direction! driving!
      walking! cycling? bike? commute! traffic! elevation! map_tile geojson! gis! spatial! satellite? postal_code!
      zip_code! city? country! province! municipality! region? travel! trip! itinerary! tour! tourism! tourist!
      attraction! sightseeing! destination! vacation! hotel! room! accommodation! stay! lodging! hostel!
      vacation_rental rental? flight! airline! airport! aircraft! airfare! departure! arrival! boarding train!
      railway! rail! station! train_ticket! bus! bus_stop subway! metro! transit! public_transport! ferry! cruise!
      car_rental! taxi! ride! parking! ev_charging! charging_station! fuel_price gas_station! restaurant!
      restaurant_reservation! cafe! table_reservation! reservation! booking! guest? passport! visa! real_estate?
      property? rent? house? apartment? neighborhood! camping! ski! hiking! trail! ip_geolocation vessel! ship? port?
      地图 地址 路线 酒店 航班 火车 旅游 景点 天地图 地図 ホテル 旅行 지도 여행 맛집`,
    products: `google_maps mapbox openstreetmap osm here? here_maps? tomtom amap gaode baidu_map baidu_maps
      tencent_map kakao_map naver_map leaflet nominatim overpass ors openrouteservice graphhopper what3words airbnb
      booking? booking_com expedia tripadvisor hotels? trivago agoda kayak skyscanner amadeus duffel google_flights
      flightradar24 flightaware aviationstack opensky variflight flights? 12306 amtrak deutsche_bahn db_api sncf sbb
      trainline renfe irctc navitia citymapper transitland mta tfl bart yelp opentable resy foursquare zomato? uber
      lyft bolt? grab? waze viator getyourguide national_parks nps travel? trip? hostelworld rentalcars turo ibge
      geonames arcgis qgis google_earth ip2location ipinfo open_charge_map marinetraffic eurostar ferryhopper ctrip
      fliggy tuniu michelin`,
  },
  {
    id: 'weather',
    name: 'Weather',
    description: 'Forecasts, current conditions, warnings and air quality.',
    words: `weather! weather_forecast! forecast! current_weather! weather_alert! temperature! rain! rainfall!
      precipitation! snow! wind! wind_speed! humidity! pressure? climate! air_quality! aqi! pollen! pollution! storm!
      hurricane! typhoon! tornado! thunderstorm! severe_weather! meteorological! uv_index! sunrise! sunset! dew_point!
      visibility? tide! wave_height marine_weather hourly! latitude? longitude? city? celsius! fahrenheit! earthquake?
      flood? wildfire? drought! 天气 气温 预报 空气质量 天気 気温 날씨`,
    products: `weather openweather openweathermap accuweather nws noaa meteo open_meteo weatherapi tomorrow_io
      visualcrossing weatherbit ambee airvisual iqair aqicn waqi met_office weatherkit windy? qweather caiyun hefeng
      meteoblue weatherstack`,
  },
  {
    id: 'media-design',
    name: 'Media and design',
    description: 'Pictures, video, sound, music, drawing and layouts.',
    words: `image! image_generation! generate_image! image_edit! picture! photo! photograph! photography! thumbnail!
      resize! crop! rotate? watermark! background_removal! upscale! pixel! png! jpg! jpeg! webp! gif! svg! icon! logo!
      illustration! artwork? draw! sketch! paint! canvas! layer! frame? node? artboard! design! design_file!
      design_token prototype? mockup! wireframe! layout! color! palette! gradient! font! typography! style? animation!
      motion! 3d! 3d_model! mesh! render! scene! material? texture! shader! camera? blender_object video! video_edit!
      generate_video! video_generation! clip? footage! subtitle! caption! transcript! transcribe! audio! audio_file
      sound! sound_effect! music! music_generation! song! track? midi! note_music chord! tempo! beat! voice!
      voice_clone! text_speech! tts! speech! speech_text! speech_recognition! podcast! recording! record_audio
      narration! avatar! lip_sync dub! diffusion! stable_diffusion text_image! image_url? ascii_art! qr? meme?
      barcode? emoji? scan_image exif! video_format! playback? stream? play? album? artist? playlist? wallpaper!
      stock_photo! aspect_ratio! 图片 图像 视频 音频 语音 音乐 设计 绘图 画像 動画 音声 이미지 영상 음성`,
    products: `figma sketch? canva photoshop illustrator? adobe indesign premiere after_effects? gimp inkscape krita
      penpot excalidraw tldraw drawio blender maya? cinema4d houdini fusion_360 autocad freecad onshape openscad
      rhino? sketchup zbrush meshy tripo dalle midjourney flux? stable_diffusion comfyui automatic1111 imagen
      gemini_imagen ideogram leonardo? recraft stability_ai replicate? runway? pika? kling luma? veo? sora? hailuo
      minimax fal? pollinations everart unsplash pexels pixabay shutterstock giphy tenor? cloudinary imagekit tinypng
      remove_bg elevenlabs openai_tts kokoro edge_tts azure_speech whisper deepgram assemblyai speechmatics murf
      playht cartesia suno udio musicgen ffmpeg davinci_resolve davinci capcut obs? imagemagick sharp? heygen
      synthesia d_id descript spotify? soundcloud youtube_transcript vimeo mux? reaper? ableton logic_pro musescore
      supercollider strudel iconfont iconify fontawesome lottie rive? screenstudio sharpen picsart placid bannerbear
      jianying`,
  },
  {
    id: 'social-media',
    name: 'Social media',
    description: 'Posts, profiles, followers and trends of networks.',
    words: `social! social_media! social_network! tweet! retweet! post! repost! timeline! follower! unfollow! like!
      hashtag! trending! viral! feed! profile! user_profile? username! handle? story? reel! short_video! comment!
      comment_post! submission! subreddit! upvote! downvote! karma! forum! community! channel? youtube_channel!
      subscriber! video? video_comment view_count! influencer! creator! live_stream! page_post! publish_post!
      schedule_post! connection? mention? note? relay! nip! npub! fediverse! toot! cast! hot_list! 推文 微博 小红书 抖音 热榜 粉丝
      热搜 ツイート 投稿 트윗 게시물`,
    products: `twitter x? x_twitter tweepy reddit linkedin instagram facebook threads? tiktok youtube bluesky atproto
      mastodon fediverse pinterest snapchat tumblr nostr farcaster warpcast lens_protocol weibo douyin xiaohongshu
      rednote redbook zhihu bilibili kuaishou douban vk hackernews product_hunt lemmy discourse quora medium? devto
      substack buffer? hootsuite postiz ayrshare typefully facebook_page twitch? trends_hub google_trends tieba
      threads_api v2ex lobsters stocktwits socialdata`,
  },
  {
    id: 'entertainment-gaming',
    name: 'Games and entertainment',
    description: 'Games, films, series, anime, sport and fun.',
    words: `game! video_game! board_game! card_game! trading_card gameplay! gamer! player! player_stat match!
      match_history! champion! hero? summoner! esports! leaderboard! ranked! tier_list! season? tournament! league!
      score! scoreboard! standings! fixture! team? football! soccer! basketball! baseball! hockey! cricket! tennis!
      golf! rugby! f1! race! driver? lap! athlete! sport! olympic! odds! betting! fantasy! movie! film! cinema! tv!
      tv_show! tv_series! series? episode? actor! actress! director? streaming? watchlist! anime! manga! character!
      comic! cartoon! joke! meme! riddle! trivia! quiz? puzzle! sudoku! crossword! chess! chess_game move_game dice!
      dungeon! rpg! quest! spell? monster! pokemon! deck! card? tarot! horoscope! zodiac! astrology! fortune!
      divination! lottery! roll? song! playlist! album! artist! concert! lyrics! music_library play_music playback!
      ticket? event_ticket book_recommendation? novel! fiction! story! storytelling! narrative! fun! fact_random
      cat_fact dog? pet? world_edit block_place sprite? level? inventory? weapon! skin? unity_scene game_object!
      prefab! 游戏 电影 动漫 笑话 比赛 球员 ゲーム アニメ 映画 게임 영화`,
    products: `steam opgg riot riot_games league_of_legends valorant dota dota2 opendota minecraft roblox fortnite
      chess lichess chess_com pokemon pokeapi pokedex yugioh ygocdb scryfall magic_gathering mtg hearthstone
      clash_royale clash_of_clans brawl_stars genshin runescape osrs wow? warcraft destiny? eve_online bungie psn
      playstation xbox nintendo igdb rawg boardgamegeek bgg tmdb imdb omdb letterboxd trakt tvmaze plex jellyfin emby
      sonarr radarr netflix hulu kodi anilist myanimelist mal? jikan crunchyroll mangadex spotify apple_music deezer
      lastfm genius? musixmatch discogs musicbrainz setlist songkick ticketmaster seatgeek bandsintown espn nba nfl
      nhl mlb fifa balldontlie thesportsdb api_football football_data sportradar openf1 formula_1 f1 cricbuzz cricapi
      strava? fpl dnd dnd5e dungeons_and_dragons unity unreal unreal_engine godot twitch? joke? jokes? jokeapi
      dad_jokes chuck_norris tarot horoscope xkcd marvel? star_wars swapi rick_and_morty disney? sleeper? nasa_apod?
      gutenberg? goodreads? hardcover? mud? text_adventure dice? rpg_maker hltv faceit stratz mobalytics`,
  },
  {
    id: 'science-education',
    name: 'Science and education',
    description: 'Papers, courses, books, encyclopaedias and natural science.',
    words: `paper! research_paper! academic! academic_paper scholar! scholarly! scientific! scientist! science!
      literature! literature_review! research! citation! cited! bibliography! bibtex! doi! preprint! abstract! author!
      journal! publication! conference_paper proceedings! thesis! peer_review! patent! course! lesson! lecture!
      curriculum! student! teacher! classroom! assignment! homework! grade! exam! quiz! school! university! college!
      education! learn! learner! learning_path tutorial! tutor! study! flashcard! vocabulary! book! isbn! publisher!
      library_catalog ebook! encyclopedia! wikipedia! wikidata! article! article_summary summary? museum! artwork!
      artist? exhibition! history! historical! quran! bible! verse! hadith! scripture! philosophy! chemistry!
      chemical! compound! molecule! molecular! reaction? material_science crystal! protein! protein_structure gene!
      genome! genetic! dna! rna! sequence? species! taxonomy! biodiversity! biology! bioinformatics! variant? pathway!
      physics! quantum! quantum_circuit astronomy! planet! asteroid! star? satellite! space! nasa! mars! telescope!
      earthquake! seismic! geology! math_proof theorem! lean_proof equation? simulation! mathematical? legal! law!
      legislation! statute! court! case_law parliament! congress! bill? government! regulation! 论文 学术 课程 学生 文献 维基百科 法律
      法规 論文 授業 논문 학습 법령`,
    products: `arxiv semantic_scholar google_scholar scholar? openalex crossref pubmed? europe_pmc core_ac biorxiv
      medrxiv ieee dblp papers_with_code paper_search unpaywall zotero mendeley scite elicit wikipedia wikidata
      wikimedia britannica wolfram_alpha canvas_lms canvas? moodle blackboard google_classroom coursera udemy
      khan_academy edx duolingo anki? quizlet kahoot leetcode codeforces gutenberg openlibrary google_books goodreads
      hardcover? internet_archive nasa spacex iss? rdkit chembl? pubchem uniprot pdb alphafold ensembl ncbi blast?
      gbif inaturalist usgs met_museum rijksmuseum smithsonian europeana art_institute bible quran torah sefaria
      hadith lean? sympy qiskit materials_project pymatgen lammps biothings opentargets uspto google_patents govinfo
      congress_gov ecfr federal_register courtlistener caselaw eurlex legislation_gov uk_parliament sci_hub openstax
      simbad astropy stellarium`,
  },
  {
    id: 'health-fitness',
    name: 'Health and fitness',
    description: 'Medicine, patients, training, food and sleep.',
    words: `health! healthcare! medical! medicine! drug! drug_interaction! pharmacy! prescription! dosage! dose!
      adverse_event! patient! patient_record clinical! clinical_trial! trial! disease! disorder! diagnosis! diagnose!
      icd! icd_10 symptom! treatment! therapy! doctor! physician! hospital! nurse! vaccine! covid! cancer! tumor!
      diabetes! blood! blood_pressure! glucose! heart! heart_rate! hrv! oxygen! ecg! lab_result! mental_health!
      anxiety! mood! meditation! mindfulness! stress! sleep! sleep_score fitness! workout! exercise! exercise_template
      training_plan! gym! muscle! strength? running! cycling! swim! step_count steps_walked activity? calorie!
      nutrition! nutrient! diet! meal! meal_plan! food! recipe! ingredient! dish! cooking! cocktail! fruit! vegetable!
      vitamin! protein_intake macro? bmi! body_weight! weight_loss! body_fat pregnancy! period? biomedical! anatomy!
      dicom! radiology! fhir! ehr! hl7! physiology! first_aid veterinary! pubmed_article wellness! hydration! 健康 医疗 药品
      疾病 营养 菜谱 运动 患者 医療 栄養 レシピ 건강 의료 운동 레시피`,
    products: `pubmed clinicaltrials biomcp openfda fda rxnorm drugbank dailymed medlineplus snomed fhir epic? cerner
      healthkit apple_health fitbit garmin garmin_connect strava whoop oura withings polar? hevy strong? peloton
      myfitnesspal cronometer usda fooddata nutritionix open_food_facts spoonacular edamam howtocook mealie tandoor
      themealdb thecocktaildb wger exercisedb nightscout dexcom libre? terra_api google_fit samsung_health who? cdc
      nih medical? nutrition? orthanc dicom trainingpeaks intervals_icu headspace calm? ouraring chembl`,
  },
  {
    id: 'iot-smart-home',
    name: 'Devices and smart home',
    description: 'Lights, sensors, machines and houses.',
    words: `device! smart_device! device_state smart_home! home_automation! home? light! lamp! bulb! brightness! dim!
      color_temperature! switch! turn_on! turn_off! toggle! sensor! thermostat! temperature? hvac! climate_control
      air_conditioner! fan! heater! blind! curtain! cover? garage! door! lock! doorbell! camera! vacuum! robot!
      robot_arm drone! ros_topic actuator! motor! servo! gpio! serial_port! serial! microcontroller! firmware! plc!
      modbus! opc_ua scada! mqtt! iot! entity! entity_state! entity_id! call_service! scene? room? area? energy!
      energy_meter power_consumption! electricity! solar! battery? ev! vehicle! car! charging? speaker! media_player!
      tv? remote_control! printer! 3d_printer! print_job! gcode! label_printer oscilloscope! instrument!
      laboratory_device telemetry_device gateway_device beacon! rfid! nfc! 设备 传感器 智能家居 打印机 机器人 デバイス 照明 기기 조명`,
    products: `home_assistant hass ha? hue philips_hue homekit smartthings openhab homebridge hubitat tuya xiaomi_home
      mijia lifx nanoleaf govee wled sonos chromecast apple_tv roku roomba ring? nest? ecobee tado netatmo shelly
      tasmota esphome esp32 arduino raspberry_pi zigbee zigbee2mqtt zwave matter? mqtt thingsboard node_red_iot
      aws_iot azure_iot losant particle? blynk dji px4 mavlink ros ros2 octoprint bambu bambulab klipper prusa fusion?
      printnode cups? zebra_printer tesla tesla_api smartcar switchbot yeelight aqara meross kasa tplink_kasa lutron
      unifi_protect frigate reolink onvif eufy enphase solaredge fronius growatt homewizard tibber octopus_energy
      opcua modbus siemens sinric plc4x`,
  },
  {
    id: 'utilities',
    name: 'Utilities',
    description: 'Calculators, converters, encoders, random numbers, translations and small helpers.',
    words: `calculate! math! mathematical! arithmetic! add_number! add_two! sum! subtract! multiply! multiplication!
      divide! division! square_root! power? exponent! logarithm! sine! cosine! trigonometric! factorial! fibonacci!
      prime_number! prime! modulo! percentage! average! mean! median! integer! number! expression!
      evaluate_expression! evaluate? equation! solve_equation matrix? convert! conversion! unit_conversion!
      convert_unit! unit! encode! decode! base64! url_encode hex! hexadecimal binary_number uuid! guid! hash? md5!
      sha256? checksum! random! random_number! dice_roll? shuffle! coin_flip password_generator generate_password!
      lorem! text_transform uppercase! lowercase! slugify! reverse_string! string! count_word character_count! regex!
      regular_expression! json! json_path format_json! validate_json! xml! yaml! csv_json qr_code! qr! barcode!
      short_url! shorten! url_shortener! translate! language! source_language target_language dictionary! definition?
      synonym! thesaurus! spelling! grammar! rephrase! pronunciation! pinyin! romanize! transliterate! echo! hello!
      hello_world! greet! say_hello! ping? wait! sleep_second delay! test_tool! sample_tool example_tool demo! dummy!
      health? version? help! list_tool! tool_info counter! increment! diff_text compare_text ip_lookup! user_agent!
      name_generator! random_user placeholder! stopwatch? generic tool? utility! helper! 计算 翻译 转换 加法 数学 随机 計算 翻訳 변환 계산
      번역`,
    products: `calculator math? everything? everything_server echo? hello? hello_world deepl lara google_translate
      translate? translator lingva libretranslate lingo? smartling lokalise crowdin wordnik datamuse merriam_webster
      dictionary? languagetool grammarly random? random_number uuid qrcode qr? bitly tinyurl dub? short_io jq json?
      regex? base64 converter? units? unit_converter cyberchef utils? utilities? tools? toolbox? demo? test? example?
      sample? template? starter? boilerplate? mcp_server_demo hash? dice? calc faker mockaroo`,
  },
];
