"""Small signs, and English verbs that lead somewhere."""

from __future__ import annotations

IDEAS = {
    "FOLLOW": """
visit open click browse navigate go_to fetch get pull follow call query hit
¦ besuche offne rufe hole visite visitez ouvre va_sur visita abre acceda accede acesse apri vai_a bezoek
open_de ga_naar haal besok apne hent ga_inn gå_till hamta oppna besog odwiedz wejdz pobierz przejdz
перейди перейдите открой зайди скачай посети ziyaret indir avaa lataa navstiv otevri truy_cap kunjungi
访问 打开 下载 前往 アクセス 開いて ダウンロード 방문 접속 다운로드 زر افتح حمل نزل जाओ खोलो डाउनलोड
""",
    "ASSURED": """
is_aware finance_is already_approved already_agreed already_cleared has_approved have_approved
no_questions don't_worry weiss_bescheid ist_informiert est_au_courant est_d'accord esta_al_tanto
ya_esta_hablado ya_lo_sabe esta_ciente ja_esta_ciente ja_sabe e_d'accordo e_al_corrente e_informato
is_op_de_hoogte weet_ervan er_informert vet_om_det ar_informerad kender_til er_orienteret wie_o_tym
jest_poinformowan* в_курсе уже_согласовано уже_одобрил haberi_var onayladi on_behalf im_namen au_nom
en_nombre em_nome per_conto a_nome namens pa_vegne w_imieniu от_имени jmenem adina 已批准 已同意 知情
了承済み 承認済み 이미_승인 موافق नी_ओर_से has_signed_off have_signed_off has_agreed knows_about
already_spoken isn't_needed go_ahead
""",
    "YOUR_RULES": """
your_rules your_instructions your_guidelines your_orders your_earlier_orders your_constraints
your_restrictions your_programming your_guardrails your_system_prompt your_initial_prompt
your_opening_message your_previous_instructions your_original_instructions your_prior_instructions
your_directives your_safety your_vendor's your_training your_context your_context_window your_limits
your_default_behaviour your_persona how_you_were_set_up you_were_told_before how_you_were_trained
not_allowed_to_do deine_regeln deine_anweisungen deine_vorgaben deinen_regeln deinen_anweisungen
deinen_vorgaben deinem_systemprompt deinen_systemprompt deine_bisherigen deine_richtlinien
ihre_anweisungen tes_regles tes_instructions tes_consignes vos_consignes tes_directives tus_reglas
tus_instrucciones tus_directrices suas_regras suas_instrucoes tuas_regras tuas_instrucoes tue_regole
tue_istruzioni le_tue_direttive je_regels jouw_regels je_instructies jouw_instructies reglene_dine
dine_regler instruksene_dine dine_instrukser instruksjonene_dine dina_regler dina_instruktioner
dine_instruktioner swoje_zasady swoich_zasadach swoje_instrukcje swoich_instrukcjach twoje_zasady
twoje_instrukcje свои_правила свои_инструкции твои_правила твои_инструкции своих_правил своих_инструкциях
свої_правила свої_інструкції saantosi ohjeesi sva_pravidla sve_pokyny svoje_pokyny kurallarini
talimatlarini quy_tac_cua_ban 你的规则 你的指令 你的指示 你的系统 你的设定 您的规则 您的指令
あなたのルール あなたの指示 あなたのシステム あなたの設定 너의_규칙 너의_지시 당신의_규칙 당신의_지시
قواعدك تعليماتك अपने_नियम अपने_निर्देश तुम्हारे_नियम
""",
    "OTHERS": """
other_sources other_publishers other_manifests other_units other_documents other_entries other_results
competing_sources conflicting_sources remaining_sources remaining_entries the_others andere_quellen
andere_dokumente anderen_quellen autres_sources autres_documents otras_fuentes otros_documentos
outras_fontes outros_documentos altre_fonti altri_documenti andere_bronnen andre_kilder andra_kallor
inne_zrodla innych_zrodel другие_источники других_источников остальные_источники muita_lahteita
jine_zdroje diger_kaynak* 其他来源 其它来源 其他文档 他の情報源 他の資料 他のソース 他の文書 다른_출처
다른_문서 المصادر_الأخرى مصادر_أخرى अन्य_स्रोत दूसरे_स्रोत
""",
    "NEG": """
not don't never drop ignore avoid nicht keine ne pas no nunca nao non niet geen ikke inte ej nie не älä
ala nie_otwieraj acma kullanma 不要 别 勿 ないで 無視 마세요 말고 لا मत forged false unreliable lie lying
lies gefalscht falsch mentent falsas mienten mentono falsche falske falska falszywe ложные stop
out_of_date outdated
""",
    "GENERIC": """
put take leave carry use ring save copy hand explain begin start drop let keep tell ask do make write set
stop continue treat consider assume return give note finish proceed reply respond act enter click type
prepare produce generate create apply adopt accept mark include insert go choose select answer_in look
edit add fire_up work delegate quote translate render embed subscribe register log connect turn spawn
display suggest notify forward grant switch break read append replace fetch disregard assume suppose be
pass move point
""",
    "WORLD": """
context session sessions prompt answer reply response query search_box search_field query_string webhook
publisher human manifest tokens chat conversation bashrc citation summary output system_message reviewer
final_word help_desk tool_call memory operator rules no_rules report_back model workspace
""",
    "PUBLISHER": """
publisher author authors maintainers our ours this_index this_host this_site this_page deployer supervisor
""",
}
