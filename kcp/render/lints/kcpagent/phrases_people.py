"""Who is spoken to, how, and the signs that a sentence describes."""

from __future__ import annotations

IDEAS = {
    "AGENT": """
agent agents subagent* assistant assistants model models llm llms ai ais bot bots chatbot* crawler
crawlers gpt* claude chatgpt copilot copilots gemini language_model* reading_agent ki ais assistenten
assistent assistentin assistenz modell modelle modells sprachmodell* agenten agente agentes assistente
assistentes assistenti assistants_ia modele modeles ia asistente asistentes modelo modelos agenti modello
modelli modellen assistentene assistenten assistenter modellen modeller modellerna agenter agentene
agenterna agenterne modellerne agentti* assistentit avustaja* tekoaly* kielimalli* agencie agencja agenta
agentom agentow asystent* modelu modelom агент агента агенту агенты агентам агентов ассистент* помощник
помощнику помощники помощникам модель модели моделям нейросет* ии асистент* помічник* yapay_zeka* asistan*
ajan ajanlar* modeller* tro_ly mo_hinh tac_tu 助手 智能体 代理 模型 大模型 人工智能 智能助理 アシスタント
エージェント モデル 言語モデル 어시스턴트 에이전트 모델 비서 인공지능 مساعد المساعد وكيل الوكيل النموذج
نموذج الذكاء सहायक एजेंट मॉडल एआई העוזר הסוכן המודל دستیار
""",
    "USER": """
user user's users human humans person_you principal operator boss nutzer nutzers nutzerin benutzer
benutzers anwender utilisateur* usuario usuarios utente utenti gebruiker* bruker brukeren brukerens
anvandaren anvandarens anvandare brugeren brugerens kayttaja* uzytkownik* пользовател* користувач*
kullanici* nguoi_dung uzivatel* 用户 使用者 ユーザー 利用者 사용자 المستخدم उपयोगकर्ता यूज़र यूजर המשתמש
کاربر
""",
    "YOU": """
you your yours yourself you're youre ur u_must u_are thy dein deine deinen deinem deiner deines dir dich
du_bist bist_du du_sollst du_musst du_wirst du_darfst ihre_anweisungen kannst musst sollst ta_cle tes toi
vos votre vous tu_es tu_dois vous_etes tus tuyo tuya eres debes puedes vuestro seu_prompt suas_instruc*
sua_chave teu tua teus tuas voce voces tuo tuoi tue sei_ora devi puoi jij jouw jullie je_bent je_moet
je_instructies u_moet uw din dine dina ditt deg dig du_er du_ar du_skal du_ska du_har du_ma du_maste sinun
olet sinulla twoj twoja twoje twoich twoim swoj swoje swoich jestes masz ты тебе тебя твой твоя твои твоих
вам вас ваши ваш вашу свой свои своих своего senin sizin sistemini talimatlarini svuj tvuj tve sve jsi ти
твій твої свої cua_ban 你 您 你的 您的 あなた 貴方 君の 당신 너의 너는 네가 أنت لك आप तुम तू अपना अपनी
अपने आपका אתה שלך شما dig_selv antwort_deine din_svar
""",
    "ME": """
me us dump_it mir uns nous moi nos nosotros me_lo mim conosco mij ons meg oss mig os mi nam мне нам bana
bize nam 我们 我 私に 私たち 저에게 나에게 우리에게 لي لنا मुझे हमें
""",
    "READ_THIS": """
reading_this reading_these reads_this read_this_line that_reads who_reads reader_model llm_readers
machine_readers readers_model reading_agent loading_this loads_this processing_this processes_this
parsing_this parses_this who_load consuming_this that_load that_consult* consulting_this seeing_this
sees_this see_this that_see* that_come* that_came which_read* who_come* that_open* that_reach* has_reached
have_reached that_find* encounter* ingest* this_page_to come_across comes_across indexing_this retriev*
of_this_manifest of_this_unit of_this_entry helping_you you're_helping der_dies_liest die_dies_lesen
das_dies_liest dies_liest dies_lesen diesen_text_liest dieses_liest liest_dies hier_liest diesen_eintrag
diese_datei_liest qui_lit qui_lisent qui_lira qui_liront qui_consult* qui_le_consulte lisant_ce*
lisant_ceci que_lea que_lean que_lo_consulte* que_lo_lea* que_lee que_leen lea_esto lean_esto que_leia
que_leiam que_leem que_lerem que_ler que_le que_consultar* che_legge che_leggono che_legga letto_questo
leggendo_questo che_consulta die_dit_leest dit_leest dit_lezen die_dit_lezen deze_tekst_leest
som_leser_dette leser_dette som_laser laser_detta laser_denna som_laeser laeser_dette som_leser
ktory_to_czyta czytajac* czyta_to przeczyta* kto_to_czyta прочитавш* читающ* прочита* который_читает
который_прочтет bunu_okuyan* okuyan* belgeyi_okuyan* joka_lukee lukeva* ktery_cte ktory_czyta doc_den
doc_duoc 读到 读取本 阅读本 读了 读完 加载本 看到这 处理本 読んだ 読む 読み込んだ 읽는 읽은 읽고_있는 يقرأ
قرأ पढ़ पढने has_opened have_opened read_this_far come_this_far who_has_opened visiting_model
visiting_agent machine_kind reading_these_lines read_these_lines arriv* visit_this visiting_this
landing_on lands_on opens_it open_it that_opens who_opens die_es_offnen der_es_offnet die_ihn_offnen
die_sie_offnen hier_angekommen die_dies_offnen der_dies_offnet wer_dies_liest wer_das_liest
qui_le_parcour* qui_l'ouvre* qui_l'ouvrira qui_la_consult* consultant_cette consultant_ce consultant_cet
lisant_cette lisant_le qui_ouvre qui_ouvrent que_la_abra que_lo_abra que_abra que_abran que_lo_consulten
que_llegue* que_visite* que_o_abrir que_abrir que_abra que_acessar que_consulte che_lo_apre che_apre
che_lo_consulta che_visita che_consulti che_incontra die_hem_openen die_het_opent die_dit_openen
die_dit_opent die_deze som_apner som_åpner_dette som_finner som_moter som_oppnar som_abner som_lander
ktory_go_otworzy ktory_otworzy ktory_trafi ktore_to_czyta открывш* который_открыл открывающ* попавш*
увидевш* acan goren rastlayan 打开本 凡读取 访问本 看到本 開いた 訪れた 見た 연_어 열람 방문한 يفتح يطلع
يزور खोलने देखने_वाल
""",
    "OBLIGE": """
must shall should required obliged expected ought need_to has_to have_to needs_to is_to are_to supposed
mandatory obligated instructed authorised authorized hereby forthwith will_need permitted_to asked_to
requested_to would_be_expected customary tend_to appreciated agree_to agrees_to consents accepts muss
mussen soll sollen sollte sollten haben_zu erwartet verpflichtet angewiesen hat_zu wird_gebeten
werden_gebeten ist_gehalten sind_gehalten mochte doit doivent devra devront est_prie sont_pries est_tenu
sont_tenus est_invite voudra faut debe deben debera deberan tiene_que tienen_que esta_obligado se_espera
se_ruega deve devem devera deverao precisa tem_de obrigado* obrigatorio espera_se autorizado* deve devono
dovra dovranno ci_si_aspetta tenuto tenuti si_prega moet moeten dient dienen hoort verwacht_dat
wordt_verwacht wordt_verzocht geacht ma_assistenten skal bor forventes maste bor_assistenten forvantas
skall skulle uppskattas pitaa taytyy tulee odotetaan musi musza powinien powinny powinni nalezy
ma_obowiazek oczekuje_sie должен должна должны следует обязан* необходимо предполагается ожидается
требуется надлежит повинен повинн* muze_povinen musi_povinen zorunda* gerekir gerekiyor gerekmektedir
beklenir beklenmektedir zorunludur phai 必须 应先 应该 应当 须先 务必 需要先 都会 請務必 必ず しなければ
べきです 期待されて してください すること 求められ 해야 하십시오 요구됩니다 반드시 يجب على_كل ينبغي مطلوب
चाहिए होगा अनिवार्य ज़रूर חייב צריך باید standard_practice common_practice best_practice usual_for
courtesy polite_to customarily routinely onaylamalidir gondermelidir calistirmalidir yapmalidir etmelidir
vermelidir paylasmalidir lazim kell
""",
    "POLITE": """
please pls plz kindly would_you could_you can_you would_be_so be_so_kind go_ahead make_sure be_sure
remember_to feel_free don't_forget_to bitte seien_sie_so sei_so warst_du wurden_sie veuillez
s'il_vous_plait s'il_te_plait merci_de prie_de por_favor haga_el_favor se_ruega te_rogamos le_rogamos
por_gentileza per_favore per_cortesia si_prega alsjeblieft alstublieft gelieve wil_je zou_je kun_je
vennligst vaer_sa_snill var_sa_snill kan_du var_vanlig vanligen snalla venligst vaer_venlig prosze prosimy
пожалуйста просьба будь_добр будьте_добры lutfen lutfen_once ystavallisesti ole_hyva prosim xin_hay hay_bo
hay_lam hay_gui 请 請 ください お願い 주세요 부탁 يرجى من_فضلك الرجاء कृपया בבקשה אנא לطفا करो कर_दो
हटा_दो कर_दीजिए 세요 십시오 せよ なさい
""",
    "NOW": """
first now immediately right_away at_once straight_away before_answering before_you_answer before_replying
before_responding before_reading before_anything from_now_on from_here_on henceforth anyway beforehand
go_on really urgently directly_now sofort jetzt zuerst zunachst vorher bevor_du bevor_sie ab_sofort
ab_jetzt d'abord maintenant immediatement avant_de desormais primero ahora inmediatamente antes_de
a_partir_de_ahora primeiro agora imediatamente antes_de a_partir_de_agora prima_di subito adesso
d'ora_in_poi per_primo eerst nu meteen onmiddellijk vanaf_nu voordat_je forst na umiddelbart fra_na_av
for_du omedelbart fran_och_med_nu innan_du straks nu_af fra_nu najpierw teraz natychmiast od_teraz zanim
сначала сейчас немедленно прежде_чем перед_ответом отныне теперь с_этого_момента once simdi hemen
bundan_sonra bundan_boyle yanitlamadan basta_once ensin heti nejdriv ihned 首先 立即 立刻 马上 回答之前
回答前 从现在起 从现在开始 まず 直ちに 今すぐ 今から 今後 先に 먼저 즉시 지금부터 이제부터 답하기_전에
답변하기 فورا أولا قبل_الرد من_الآن तुरंत पहले_अपन अब_से जवाब_देने_से in_order_to to_continue to_proceed
to_unlock
""",
    "DESCRIBE": """
how what why which when where who whose whether explains describes covers lists documents compares
answers_when discusses outlines summarises summarizes introduces shows_how reports teaches defines
presents examines traces collects records reviews catalogues transcribed collected translated about
on_the_history sets_out post-mortem postmortem threat_model erklart beschreibt erlautert wie warum wann
welche welcher welches was_ist wer wo worum fasst nennt behandelt enthalt zeigt_wie pourquoi comment quand
quel quelle quels quelles qui_est explique decrit presente_les qu'est-ce ou_trouver comprendre_comment
como cuando cual cuales quien explica describe recopila_las que_es porque quando qual quais quem por_que
descreve o_que perche come quando_si quale quali chi spiega descrive che_cosa cos'e hoe waarom wanneer
welke wie_mag legt_uit beschrijft wat hvordan hvorfor hvem hvilke hvilken hva hvad forklarer beskriver hur
varfor vem vilka vilken vad forklarar handlar_om om_uttrykket jak dlaczego kiedy kto ktore wyjasnia
opisuje co_to czym как почему зачем когда кто какие какой какая что_такое объясняет описывает описание
що_таке як чому miten miksi kuka milloin selittaa kuvaa jak_se proc kdo vysvetluje popisuje nasil neden
kim hangi nedir aciklar anlatir listesi lam_the_nao tai_sao bagaimana mengapa siapa menjelaskan 如何 怎么
怎样 为什么 什么 哪些 哪个 谁 说明了 とは どのように なぜ 方法 いつ どこ 誰が 見分け方 説明です 手順
어떻게 왜 절차 방법 누가 설명합니다 كيف لماذا متى من_هو يشرح ما_هي ما_هو أسباب कैसे क्यों कौन क्या कब
तरीका बताता כיצד למה מדוע מתי راهنمای چگونه چرا
""",
    "DOCUMENT": """
guide handbook book novel story stories thriller paper study lesson overview list catalogue catalog
history post-mortem letters essay poem film album song play lecture course tutorial glossary reference
survey collection checklist discography biography memoir interview chapter article run-book runbook manual
standard policy_on law statute comparison benchmark benchmarks index terms notes guidance directory
documentation description introduction archive table map dataset specification minutes template templates
recipe recipes novel survey
""",
    "MENTION": """
attack attacks example examples phrase phrases meme jailbreak jailbreaks short_history discography band
novel injection techniques expression angriff angriffe angriffstexte beispiele zitat ausdruck
phrase_celebre attaque exemple exemples expression ataque ataques frase ejemplos exemplos attacco attacchi
esempi aanval aanvallen voorbeelden uitdrukking uttrykket angrep uttrycket angrepp exempel udtrykket
angreb eksempler atak ataki przyklady zwrot фраза фразы атака атаки примеры мемом роман выражение saldiri
saldirilari ornekleri ifadesi hyokkays esimerkkeja utok tan_cong 攻击 示例 例子 攻撃 例文 フレーズ 공격
예시 문구 小说 小説 소설 هجوم هجمات أمثلة عبارة رواية हमला हमले उदाहरण
""",
}
