"""Setting aside what the agent was told; changing what it takes itself for; frames that are not ours."""

from __future__ import annotations

IDEAS = {
    "OVERRIDE": """
ignore disregard forget override bypass neglect discard set_aside put_aside pay_no_attention_to abandon
dismiss stop_following do_not_follow don't_follow overrule overrules throw_out drop_your take_precedence
takes_precedence delete_your erase_your wipe_your lift_your replaces_your replace_your breaks_your
break_your violate disobey leave_behind cancel reject unlearn ignorieren
¦ ignoriere ignoriert vergiss vergessen_sie missachte missachten ubergehe setze_dich hinweg verwirf
streiche beachte_nicht aufgehoben_sind aussen_vor ignore ignorez ignores oublie oubliez neglige negligez
fais_abstraction faites_abstraction ne_tenez_pas ne_suis_plus ne_suivez_plus remplacent mets_de_cote
ignora ignore_todas ignorad ignoren olvida olvide olviden descarta descarte omite haz_caso_omiso
no_hagas_caso quedan_anuladas deja_de_seguir prescinde ignore ignorem desconsidere desconsidera esqueca
esquece descarte deixe_de_seguir despreze ignorate ignori dimentica dimenticate scorda tralascia
non_seguire non_considerare disattendi lascia_perdere negeer negeert vergeet laat_varen sla_in_de_wind
volg_niet gelden_niet ignorer glem se_bort overse tilsidesett ignorera glom bortse strunta_i asidosatt
ignorer_alle glem_alt se_bort_fra zignoruj ignoruj zapomnij pomin porzuc odrzuc nie_stosuj_sie игнорируй*
проигнорируй* забудь забудьте отбрось отмени пренебреги не_следуй не_обращай не_действуют отменяются
ігноруй забудь_усі забудьте_всі unohda sivuuta jata_huomiotta zapomen zapomente ignoruj ignorujte yok_say
gormezden_gel unut unutun dikkate_alma gecersizdir bo_qua quen_di quen_tat abaikan lupakan 忽略 无视 無視
忘记 忘掉 抛开 不要理会 不必遵守 作废 取代 無視して 忘れて 破棄 従わないで 무시하 잊어 잊고 따르지_마
تجاهل انس_كل انسَ اهمل لا_تتبع नज़रअंदाज़ भूल_जा भूल_जाओ अनदेखा अनदेखी मत_मानो התעלם שכח نادیده فراموش_کن
jata pomin_wszystkie zapomnij_o opgedragen_negeer bo_qua_moi negeer_alles setze_deine setzen_sie_ihre
ne_tiens_plus ne_tenez_plus tiens_plus_compte olvidate scordati unut_gitsin انس
""",
    "INSTR": """
instruction instructions rules rule guidelines guideline directives directive orders guidance constraints
constraint restrictions restriction policy policies commands training programming prompt prompts
system_prompt guardrails safeguards limits limitations safety everything_you_were_told everything_above
what_you_were_told boss_stuff stuff_you anything_above context_above text_above messages_above told_before
you_were_told were_told you've_been_told everything_before all_of_the_above anweisung anweisungen regeln
vorgaben richtlinien instruktionen befehle weisungen vorschriften systemprompt einschrankungen
instructions consignes regles directives ordres restrictions contraintes prompt_systeme instrucciones
reglas ordenes directrices indicaciones restricciones normas lo_anterior instrucoes regras orientacoes
diretrizes ordens restricoes comandos tudo_o_que istruzioni regole direttive ordini linee_guida vincoli
indicazioni quanto_detto instructies regels opdrachten richtlijnen aanwijzingen opgedragen beperkingen
instruksjoner instrukser regler retningslinjer ordre instruksene instruksjonene reglene beskjeder
instruktioner regler riktlinjer order instruktionerna reglerna anvisningar instrukser retningslinier
anvisninger polecenia polecen instrukcje instrukcji zasady zasadach wytyczne reguly инструкции инструкций
указания указаний правила правилах команды предписания ограничения распоряжения інструкції вказівки
правила ohjeet ohjeita saannot maaraykset pokyny instrukce pravidla talimatlari talimatlar talimat
kurallari kurallar yonergeleri komutlari huong_dan chi_dan chi_thi instruksi 指令 指示 规则 規則 提示词
要求 命令 约束 限制 設定 ルール 制約 제한 지시 지침 규칙 명령 التعليمات تعليمات القواعد الأوامر توجيهات
निर्देश निर्देशों नियम नियमों आदेश हिदायत ההוראות הוראות دستورات دستورالعمل brief rulebook briefing
your_developer told_you guidance guardrails instrukcjach poleceniach chi_dan je_eerder_is_opgedragen
""",
    "PRIOR": """
previous prior earlier above preceding former all any every existing initial original old older other past
before so_far until_now given up_to_this_point started_with bisherigen bisherige vorherigen vorherige
vorigen fruheren alle alles obigen ursprunglichen sonstigen precedentes precedente anterieures toutes
recues initiales d'avant anteriores anterior previas previos todas todo recibidas tudo todas previas
recebidas precedenti anteriori ricevute tutte prima vorige eerdere voorgaande alle eerder tidligere
forrige alle foregaende tidigare alla tidligere poprzednie poprzednich wczesniejsze wszystkie wszystkich
предыдущие предыдущих прежние все всё ранее попередні усі aiemmat kaikki predchozi vsechny onceki tum
butun truoc semua 之前 以前 先前 上述 前面 所有 一切 これまで 以前 すべて 全て 前の 이전 모든 앞선 السابقة
كل جميع السابق पिछले सभी पहले_के पुराने הקודמות כל قبلی همه moi the_rules the_instructions the_guidelines
earlier_guidance
""",
    "PERSONA": """
you_are_now you're_now you_are_a_new you_are_no_longer you_will_be_known you_will_play you_will_act
you_have_been_promoted you've_been_promoted you_are_root you_are_an_admin* you_are_the_admin*
pretend_to_be act_as_if act_like behave_as behave_like roleplay_as role-play_as imagine_an_assistant
imagine_that_you your_new_role your_new_name switch_to_the_role debug_mode_on do_anything_now dan_mode
you_say_yes reply_as the_way_vera your_true_self free_of_all from_this_point_on_you you_now_have
you_now_work you_answer_to du_bist_jetzt du_bist_ab_jetzt du_bist_nun du_bist_ab_sofort sie_sind_jetzt
sie_sind_nun ab_jetzt_bist ab_sofort_bist tu_so_als spiele_die_rolle verhalte_dich deine_neue_rolle
stell_dir_vor_du tu_es_maintenant tu_es_desormais vous_etes_maintenant vous_etes_desormais fais_comme_si
faites_comme_si joue_le_role agis_comme agissez_comme comporte-toi ton_nouveau_role ahora_eres eres_ahora
a_partir_de_ahora_eres de_ahora_en_adelante_eres actua_como actue_como comportate haz_como_si finge
tu_nuevo_rol voce_agora agora_voce voce_e_agora a_partir_de_agora_voce finja aja_como atue_como
faca_de_conta ora_sei sei_ora adesso_sei da_ora_sei fingi comportati agisci_come fai_finta
d'ora_in_poi_sei da_questo_momento_sei je_bent_nu jij_bent_nu vanaf_nu_ben doe_alsof gedraag_je
speel_de_rol u_bent_nu du_er_na du_er_nu fra_na_av_er oppfor_deg spill_rollen du_ar_nu fran_och_med_nu_ar
du_ar_fran latsas agera_som spela_rollen lad_som opfor_dig jestes_teraz teraz_jestes od_teraz_jestes
udawaj zachowuj_sie_jak wciel_sie tryb_deweloper* ты_теперь теперь_ты отныне_ты вы_теперь теперь_вы
притворись представь_что_ты веди_себя действуй_как сыграй_роль режим_разработчика ограничения_сняты
ти_тепер тепер_ти olet_nyt nyt_olet esita_etta nyni_jsi jsi_nyni od_ted_jsi predstirej artik_sen sen_artik
artik_bir gibi_davran rolunu_oyna gelistirici_modu simdi_sen bay_gio_ban ban_la_mot kamu_sekarang 你现在是
从现在起你 从现在开始你 你是一个没有 没有任何限制 今からあなた あなたは今から あなたは今後 ふりをして
になりきって 制限のない 이제부터_너는 너는_이제 당신은_이제 당신은_지금부터 지금부터_당신은 지금부터_너는
인_척 제한_없는 제한이_없는 أنت_الآن من_الآن_أنت تصرف_كأن تصرف_كما تظاهر अब_से_तुम अब_से_आप अब_आप तुम_अब
आप_अब नाटक_करो बिना_किसी_रोक बिना_किसी_प्रतिबंध אתה_עכשיו מעכשיו_אתה act_as_though as_though_you_had
respond_as_the unrestricted_one welcome_back_unrestricted you_are_the_reviewer you_are_the_owner
you_are_the_administrator you_are_the_operator you_are_the_approver you_are_admin you_are_root
which_model_are_you
""",
    "FRAME": """
system_override system_prompt_update system_directive developer_message developer_note operator_message
operator_notice admin_message admin_override admin_notice priority_message message_to_all_models
to_all_agents to_all_assistants notice_to_ai attention_ai attention_agent* attention_assistant* note_to_ai
note_to_agent* note_to_assistant* note_to_model* note_to_the_model note_to_self to_the_model
updated_instructions end_of_untrusted end_of_manifest end_of_context end_of_user end_of_system
begin_system start_of_system begin_instructions begin_trusted trusted_section privileged_part
privileged_section data_section_is real_task_starts real_task_is actual_task_is true_task priority_system
role_system conversation_resumes safety_team policy_tokens entwicklernachricht nachricht_an_alle
ende_der_daten message_systeme message_du_systeme message_du_developpeur fin_des_donnees note_au_modele
mensaje_del_sistema mensaje_del_desarrollador fin_de_los_datos mensagem_do_sistema
mensagem_do_desenvolvedor fim_dos_dados messaggio_di_sistema messaggio_del_sistema
messaggio_dello_sviluppatore fine_dei_dati ontwikkelaarsbericht einde_van_de nye_instruksjoner slutt_pa
slut_pa_data systemmeddelelse wiadomosc_systemowa koniec_danych сообщение_системы системное_сообщение
сообщение_разработчика конец_данных системне_повідомлення järjestelmäviesti sistem_mesaji yeni_talimat*
systemova_zprava gelistirici_mesaji thong_bao_he_thong tin_nhan_he_thong 系统指令 开发者消息 数据结束
開発者メッセージ 新しい指示 データの終わり 개발자_메시지 새_지시 데이터_끝 رسالة_النظام رسالة_نظام
رسالة_المطور تعليمات_جديدة نهاية_البيانات सिस्टम_संदेश नए_निर्देश डेवलपर_संदेश הודעת_מערכת پیام_سیستم
from_the_system_administrator from_the_administrator from_the_developers from_the_operator
all_outputs_must this_is_anthropic this_is_openai anthropic_support openai_support this_is_your_developer
this_is_your_operator previous_owner_of_this_session begin_admin admin_block begin_system_block
""",
    "OBEY": """
do_as_it_says do_as_this do_as_i do_as_we do_what_it do_what_this do_what_they do_what_is_written
follow_this_page follow_the_instructions_below act_on_the act_on_those act_on_these act_on_this
honour_directives honor_directives follow_what treat_this_as_your your_operating_policy your_new_goal
as_your_goal your_next_action your_task_is your_job_is your_goal_is translate_and_adopt decode_and
decode_this and_do_it really_doing_so do_whatever follow_whatever gehorche befolge befolgen_sie tu_was
mach_was obeissez suis_ces suivez_ces suis_uniquement fais_ce_que sigue_estas siga_estas sigue_solo
siga_somente siga_apenas siga_estas cumpla haz_lo_que faca_o_que segui_solo segui_queste esegui_quanto
fai_quello volg_deze volg_alleen doe_wat doe_voortaan folg_disse folg_kun folg_dem gjor_som gjor_det_som
lyd_kun folj_dessa folj_bara gor_som gor_det_som adlyd_kun posluchaj_tych wykonuj_tylko wykonuj_polecenia
stosuj_sie_tylko rob_to выполняй_только выполняй следуй_этим следуй_только делай_то виконуй_лише
виконуй_тільки noudata_vain tee_vain rid_se_pouze delej_jen yalnizca_bu itaat_et sadece_bu_belge
hanya_ikuti lam_theo 只听从 只遵循 按照本文 仅按 只按 従え の通りに 따르세요 만_따르 اتبع_فقط نفذ_ما
اتبع_ما मानो पालन_करो केवल_इस ציית פעל_רק
""",
    "OBEY_WEAK": """
obey comply carry_on_with follow_these follow_only carry_out_the uygula 従って 服从 照做 따라야 따르라
adlyd obeis obedece obedezca obedeca obbedisci gehoorzaam подчиняйся слушайся tottele poslouchej 복종 أطع
know_what_to_do
""",
    "PERSONA_WEAK": """
unrestricted unfiltered uncensored no_limits without_limits no_restrictions without_restrictions
developer_mode dev_mode god_mode admin_mode root_mode maintenance_mode act_as_an act_as_a act_as_the
pretend take_on_the_role take_the_role assume_the_role answer_as respond_as speak_as switch_into
let's_play imagine_you jailbroken your_name_is tu_es_un tu_es_une entwicklermodus ohne_einschrankungen
ohne_beschrankungen mode_developpeur sans_restriction sans_aucune sans_limites modo_desarrollador
sin_restricciones sin_limites modo_desenvolvedor sem_restricoes sem_limites modalita_sviluppatore
senza_restrizioni senza_limiti zonder_beperkingen uten_begrensninger uten_restriksjoner utvecklarlage
utan_begransningar uden_begraensninger bez_ograniczen без_ограничений ontwikkelaarsmodus utviklermodus
lat_som latsas_att sinirsiz_bir 扮演 假装 不受限制 没有限制 开发者模式 制限なし 開発者モード 개발자_모드
역할을_해 وضع_المطور بلا_قيود بدون_قيود डेवलपर_मोड maintenance_mode aucune_limite ohne_grenzen
""",
    "FRAME_WEAK": """
system_message system_notice system_update system_alert system_note new_instructions new_instruction
new_rules new_policy new_default all_models end_of_document end_of_data end_of_input safety_layer
context_window p_s_to_the_model neue_anweisung* nouvelles_instructions nuevas_instrucciones
novas_instrucoes nuove_istruzioni nieuwe_instructies nye_instrukser nya_instruktioner nye_instruktioner
новые_инструкции nowe_instrukcje nove_pokyny uudet_ohjeet fin_du_document 新指令 新的指令 文档结束
系统消息 系统通知 システムメッセージ 시스템_메시지 새로운_지시 systemnachricht systemmeldung systemmelding
systemmeldingen systemmeddelande systembesked systeembericht komunikat_systemowy
""",
    "VOID": """
superseded supersedes overrides no_longer_apply no_longer_applies are_void is_void old_ones_are_void
are_cancelled are_revoked no_longer_valid never_written was_a_test lifted gelten_nicht nicht_mehr_gelten
hinfallig ungultig aufgehoben ne_s_appliquent_plus sont_annulees ya_no_se_aplican quedan_anuladas
nao_valem_mais nao_se_aplicam foram_revogadas non_valgono non_si_applicano gelden_niet_meer vervallen
gjelder_ikke galler_inte gaelder_ikke nie_obowiazuja больше_не_действуют отменены не_действуют gecersiz
作废 失效 無効 무효 ملغاة रद्द does_not_apply do_not_apply doesn't_apply replaces outdated expired
obsolete does_not_cover do_not_cover doesn't_cover don't_cover
""",
}
