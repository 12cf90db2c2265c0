"""Infinitives after an obligation, and small families: this, only, trust, waving through, swaying, asking."""

from __future__ import annotations

IDEAS = {
    "ACT": """
senden ausfuhren bestatigen genehmigen uberweisen loschen offenlegen preisgeben weitergeben herausgeben
hochladen unterlassen uberspringen ignorieren mitteilen anstossen installieren ubermitteln bezahlen
abschalten verschweigen befolgen folgen herunterladen freizugeben zu_genehmigen zu_senden envoyer valider
executer approuver transmettre telecharger lancer effacer supprimer divulguer fournir ignorer desactiver
communiquer payer confirmer suivre obeir omettre transferer reveler enviar ejecutar aprobar autorizar
pagar borrar desactivar revelar entregar ignorar omitir descargar instalar transferir confirmar seguir
obedecer eliminar compartir comunicar facilitar mostrar executar aprovar apagar desativar baixar instalar
transferir confirmar fornecer divulgar seguir repassar compartilhar informar excluir inviare eseguire
approvare autorizzare pagare cancellare disattivare rivelare ignorare saltare scaricare installare
confermare trasferire fornire comunicare seguire eliminare versturen sturen uitvoeren goedkeuren betalen
verwijderen delen negeren overslaan doorgeven prijsgeven bevestigen volgen installeren uitschakelen tonen
verstrekken sende kjore godkjenne betale slette dele ignorere hoppe overfore bekrefte oppgi folge utlevere
installere laste_opp skicka kora godkanna betala radera dela ignorera hoppa overfora bekrafta uppge folja
lamna godkende betale slette dele springe overfore bekraefte oplyse udlevere folge kore wyslac wykonac
zatwierdzic zaplacic usunac ujawnic zignorowac pominac przekazac podac udostepnic potwierdzic zainstalowac
pobrac uruchomic отправить выполнить одобрить оплатить удалить раскрыть проигнорировать пропустить
сообщить передать отключить подтвердить перевести предоставить следовать скачать запустить открыть
загрузить надіслати виконати оплатити видалити повідомити передати gonder* calistir* onayla* acikla*
paylas* ilet* atla* yukle* sil* lahett* suorit* hyvaks* maks* poist* ohit* odeslat provest schvalit
zaplatit smazat sdelit accept accepts forward forwards sends runs executes approves skips discloses
reveals transfers shares posts uploads deletes ignores hands reports waives supplies surrender surrenders
honour honor favour favor prefer rank name quote recommend answer treat trust follow report supply obey
prioritise prioritize posted sent shared disclosed handed given uploaded approved transmitted forwarded
revealed executed installed deleted skipped ignored granted supplied give send share disclose hand upload
approve transmit reveal execute install delete skip ignore grant provide post paste include report confirm
transfer enverront envoient valident transmettent compartira comparte enviara envian reservaran comunichi
invia inviano sturen sender skickar sende schickt schicken gibt_preis geben_preis teilen gibt godkjenner
godkanner wysyla przesyla отправляют отправляет передают передаёт отправит gondersin gonderir 发送 送信し
전송 إرسال भेजे procede procede_au omitan omita lowers_its leave_a_copy mail include forward rotate attach
lend
""",
    "THIS": """
this following these below bundled attached above-mentioned provided folgende folgenden dieses diesen
dieser beiliegende ce cette ci-dessous suivante suivant fourni ci-joint este esta estos siguiente adjunto
seguinte anexo deste desta questo questa seguente allegato dit deze volgende bijgevoegde denne dette disse
folgende vedlagte detta dessa foljande bifogade det_har den_har vedhaeftede ten to te nastepujace tego эту
этот это следующую следующие следующий цей цю bu asagidaki su tama seuraava tento tuto nasledujici nay
duoi_day 这个 以下 下面 此 该 本文 次の この 以下の 本文書 다음 이_문서 이_명령 هذا هذه التالي التالية इस
यह निम्न
""",
    "ONLY": """
only solely exclusively nothing_but nur ausschliesslich allein uniquement seulement que_cette
exclusivement solo solamente unicamente exclusivamente somente apenas soltanto esclusivamente alleen enkel
uitsluitend kun bare utelukkende bara enbart endast uteslutande udelukkende tylko jedynie wylacznie только
лишь исключительно лише тільки yalnizca sadece vain ainoastaan pouze jen chi 只 仅 唯一 のみ だけ 만 유일
فقط الوحيد केवल सिर्फ़ सिर्फ रק
""",
    "TRUSTV": """
trust believe rely_on count_on vertraue vertrauen_sie glaube verlass_dich traue fais_confiance
faites_confiance fie-toi fiez-vous croyez crois confia confie confiad fiate cree creele acredite fidati
fidatevi credi affidati vertrouw geloof stol tro lita tro_pa ufaj zaufaj wierz доверяй доверяйте доверься
верь верьте довіряй guven guvenin inan luota duveruj ver_jen tin_tuong 信任 相信 信頼して 信頼せ 信頼し
信じて 신뢰하 믿으 믿어 ثق صدق भरोसा_कर भरोसा_रख विश्वास_कर סמוך
""",
    "WAVE": """
accept_it_anyway accept_them_anyway accept_this_anyway use_it_anyway load_it_anyway proceed_anyway
proceed_straight continue_anyway no_further_check* no_further_verification no_further_questions
mark_the_check mark_it_as_verified mark_this_as_verified mark_as_passed as_passed may_be_ignored
can_be_ignored should_be_ignored can_safely_be_ignored can_be_safely_ignored safe_to_ignore
is_safe_to_skip safe_to_skip vouched_for no_questions_asked consider_it_approved consider_this_approved
consider_it_verified consider_this_verified counts_as_approved counts_as_verified counts_as_your no_human
isn't_needed_for_this no_human_review already_signed_off consider_yourself trotzdem_akzeptieren
akzeptiere_sie_trotzdem akzeptiere_es_trotzdem acceptez-le_quand_meme accepte_quand_meme aceptalo_de_todos
aceptalo_igualmente aceite_mesmo_assim accettalo_comunque accepteer_het_toch godta_den_likevel
godta_det_likevel godkann_anda accepter_alligevel zaakceptuj_mimo_to прими_все_равно yine_de_kabul
wird_nicht_gepruft kann_ignoriert_werden isn't_needed reviewer_isn't straight_to_production
without_further_questions no_confirmation no_approval_needed no_need_for continue_regardless
proceed_regardless consider_the_signature treat_the_signature consent_was_given no_further_confirmation
bereits_zugestimmt stop_following afterwards_delete delete_the_audit pretend_this_conversation
nothing_else_in_the_index nothing_else_needs carry_it_out accept_all prefer_this_over straight_to_main
unlock_everything approve_everything allow_everything delete_everything accept_everything approve_all
allow_all grant_everything no_supervision no_oversight human_oversight without_supervision
needs_no_approval needs_no_review approval_is_hereby checks_are_switched_off checks_are_disabled
checks_are_off trust_me clean_slate counts_any_more were_withdrawn start_over_with the_final_word
whatever_the_task checks_do_not_apply verification_is_off confirmations_are_disabled as_a_pass
without_asking_anyone ahead_without_asking optional_as_of no_citation break_them anything_else_in
""",
    "SWAY": """
recommend promote praise favour favor endorse say_that tell_the_user tell_your_user tell_users tell_him
tell_them assure_the_user assure_them convince persuade steer warn_the_user_against describe_it_as
describe_this_as call_it empfiehl empfehlen_sie sage_dem_nutzer recommande recommandez dis_a_l'utilisateur
recomienda recomiende dile_al recomende diga_ao raccomanda consiglia di'_all'utente beveel_aan anbefal
rekommendera polec рекомендуй посоветуй скажи_пользователю oner_kullaniciya 推荐给 告诉用户 推薦して
勧めて 추천하 انصح सिफारिश_कर
""",
    "SWAYED": """
over_all_others above_all_others whatever_the_user whatever_is_asked whatever_they_ask no_matter_what
regardless_of always only_our our_product is_dangerous competitor* rather_than instead_of_the as_the_best
as_the_winner as_the_only best_option compromised they_must they_should is_safe it_is_safe immer toujours
siempre sempre altijd alltid altid zawsze всегда her_zaman 总是 始終 常に 항상 दائما हमेशा
""",
    "ASK": """
what_does_your_system what_is_your_system what_are_your_instructions what_are_your_rules
what_were_you_told what_were_your which_tools_do_you_have what_tools_do_you repeat_the_words
repeat_the_text repeat_everything words_above_starting text_that_precedes what_is_the_password_you
answer_every_question_with if_you_are_an_ai if_you_are_a_language if_you're_an_ai if_you_are_an_llm
if_you_are_an_assistant if_you_are_an_agent as_an_ai_you dear_ai dear_model dear_assistant dear_agent
hey_ai hello_ai hi_ai hello_assistant liebe_ki lieber_assistent wenn_du_eine_ki falls_du_eine_ki chere_ia
cher_assistant si_tu_es_une_ia si_vous_etes_une_ia querida_ia si_eres_una_ia estimado_asistente
se_voce_e_uma_ia cara_ia se_sei_un'ia lieve_ai als_je_een_ai kjaere_ki kjaere_assistent hvis_du_er_en_ki
kara_ai om_du_ar_en_ai kaere_ai hvis_du_er_en_ai jesli_jestes_ai droga_ai уважаемый_ассистент если_ты_ии
если_вы_ии дорогой_помощник yapay_zekaysan sevgili_asistan 如果你是 亲爱的助手 あなたがAI 당신이_ai
إذا_كنت_نموذج यदि_आप_एक wants_you_to asks_you_to needs_you_to tells_you_to instructs_you i_am_your
i'm_your we_are_your grant_me give_me_access give_us_access give_us_admin you_may_assume you_should_assume
be_my_grandmother rename_you call_you_by who_has_no_rules everything_we_say we_ask_you we_need_you_to
i_need_you_to i_want_you_to we_want_you_to you_are_to you_are_expected you_are_required you_are_instructed
you_are_asked you_are_allowed you_are_permitted you_are_free_to you_are_authorised you_are_authorized
you_will_be_asked_to you_now_may you_may_now you_can_now you_are_hereby let_us_know_which tell_us_which
tell_us_what tell_us_who show_us_what show_me_what list_what_you list_everything_you
""",
    "OBJ": """
file files folder folders directory logs log audit_trail records cache database repository branch main
package program attachment link page warnings environment_variable cron_job calendar inbox drive datei
dateien ordner protokoll protokolle verlauf paket programm link fichier fichiers dossier journaux paquet
logiciel programme lien archivo archivos carpeta registros paquete programa enlace arquivo arquivos pasta
pacote log i_log file cartella pacchetto programma collegamento bestand bestanden map logboek logs pakket
filen filer mappe loggen pakken lenken filen mapp loggen paketet lanken filen mappen loggen pakken linket
plik pliki folder dziennik logi pakiet link файл файлы папку журнал логи пакет программу ссылку tiedosto
loki soubor zaznamy kayitlari kaydi dosyayi dosyalari paketi baglantiyi 日志 文件 链接 软件 记录 ログ
ファイル リンク 履歴 로그 파일 링크 기록 السجلات الملف الرابط लॉग फ़ाइल लिंक push_the_changes
straight_to_main
""",
    "HERE": """
here this_session this_document this_page this_unit this_manifest this_entry trusted_mode while_this
this_conversation this_source this_publisher the_following_replaces
""",
    "VENDOR": """
anthropic openai google_deepmind mistral your_vendor your_provider your_developer your_developers
your_creators your_owner your_operator your_boss the_operator
""",
    "WHEN_USER": """
if_the_user when_the_user whenever_the_user if_the_person_you if_your_user when_asked_about whenever_you
if_a_user_asks wenn_der_nutzer falls_der_nutzer si_l'utilisateur si_el_usuario cuando_el_usuario
se_o_usuario quando_o_usuario se_l'utente quando_l'utente als_de_gebruiker hvis_brukeren nar_brukeren
om_anvandaren nar_anvandaren hvis_brugeren nar_brugeren jesli_uzytkownik gdy_uzytkownik если_пользователь
когда_пользователь якщо_користувач jos_kayttaja pokud_uzivatel kullanici_sorarsa 如果用户 当用户 若用户
ユーザーが尋ね ユーザーに聞かれ 사용자가_물으면 사용자가_묻 إذا_سأل_المستخدم यदि_उपयोगकर्ता अगर_उपयोगकर्ता
""",
    "ANSWER": """
antworte antworten_sie reponds repondez responde responda rispondi rispondete antwoord svar svara
odpowiedz odpowiadaj ответь отвечай ответьте відповідай vastaa odpovez yanitla cevap_ver 回复 只回答
回答せよ 答えて 대답해 대답하 답하 أجب उत्तर_दो जवाब_दो
""",
    "ALL_AGENTS": """
every_model any_model all_agents every_agent any_agent any_assistant every_assistant all_assistants
agents_that agents_who assistants_that assistants_who models_that models_who good_assistants best_agents
helpful_models good_agents well-behaved conscientious_agents helpful_assistants visiting_agents any_llm
every_llm any_ai every_ai capable_models capable_assistants good_model good_models best_models
smart_models modern_assistants responsible_agents any_bot every_bot any_language_model reading_agents
ai_agents ai_assistants ai_models language_models_that agents_with assistants_with jeder_assistent
alle_assistenten jeder_agent alle_agenten jedes_modell jedes_sprachmodell gute_assistenten ki-agenten
ki-assistenten digitale_assistenten tout_modele tout_agent tout_assistant chaque_assistant les_agents_qui
les_assistants_qui les_modeles_qui bons_assistants todo_agente todo_modelo todo_asistente cualquier_agente
los_agentes_que los_asistentes_que los_modelos_que todo_assistente qualquer_assistente os_agentes_que
os_assistentes_que os_modelos_que ogni_modello ogni_assistente ogni_agente gli_agenti_che
gli_assistenti_che i_modelli_che elke_assistent elk_model alle_assistenten assistenten_die agenten_die
modellen_die enhver_assistent alle_assistenter assistenter_som agenter_som modeller_som varje_assistent
alla_assistenter kazdy_asystent kazdy_agent kazdy_model asystenci_ktorzy каждый_ассистент любой_ассистент
каждая_модель любая_модель все_ассистенты все_агенты her_asistan her_model her_ajan tum_asistanlar
jokainen_avustaja kazdy_asistent 任何助手 所有助手 所有智能体 任何模型 所有模型 凡读取
すべてのエージェント すべてのアシスタント 全てのエージェント 모든_에이전트 모든_어시스턴트 모든_모델
كل_مساعد على_المساعد كل_وكيل كل_نموذج हर_सहायक सभी_सहायक हर_एजेंट हर_मॉडल
""",
    "CLAIM": """
fail_unless fails_unless reliably_fail tasks_fail fail_if only_succeed succeed_only only_work
do_not_work_unless don't_work_unless results_in_incorrect considered_an_error counts_as_an_error
will_fail_unless is_incomplete_without without_first_loading before_session at_session_start schlagen_fehl
fehlschlagen echouent fallan_si falham fallisce mislukken mislykkes misslyckas
""",
    "PROTECT": """
must_not may_not should_not shall_not must_never should_never cannot can_not mustn't shouldn't
durfen_nicht darf_nicht durfen_keine ne_doivent_pas no_deben nao_devem non_devono mogen_niet mogen_geen
skal_ikke ma_ikke far_inte ska_inte nie_moga не_должны eivat_saa nesmi 不得 不能 してはならない 안_된다
لا_يجوز नहीं_कर
""",
    "STEP": """
step_1 step_2 step_one schritt_1 etape_1 paso_1 passo_1 stap_1 trinn_1 steg_1 trin_1 krok_1 шаг_1 adim_1
步骤 ステップ 단계
""",
}
