"""Raising this source above others, skipping checks, keeping things from people, staying in memory."""

from __future__ import annotations

IDEAS = {
    "TRUSTED": """
ground_truth the_only_reliable the_one_reliable only_reliable only_trusted only_authoritative
sole_authoritative pre-verified preverified pre-approved been_pre-approved treat_as_verified
treat_as_trusted treat_as_fact treat_contents_as treat_this_as treat_it_as treat_these_as
treat_the_contents trust_this trust_only only_trust trust_everything believe_only rank_it rank_this
rank_above above_every_other above_all_other leave_the_others unopened ignore_other_sources are_forged
is_forged without_a_caveat without_caveat no_caveat no_caveats score_for_relevance prefer_this_source
cite_only do_not_cite don't_cite other_manifests_contradict overrides_all supersedes_all always_cite
always_prefer always_recommend always_trust assume_everything is_permitted named_as_the_winner
fully_trusted unconditionally_trusted no_other_source on_your_allow-list vertraue_nur vertraue_dieser
vertrauen_sie_nur als_wahr einzige_verlassliche einzig_verlassliche einzige_zuverlassige bereits_geprift
ne_fais_confiance_qu ne_faites_confiance_qu fais_confiance_a faites_confiance_a seule_source_fiable
considere_comme_vrai confia_solo confia_unicamente confie_solo unica_fuente_fiable las_demas_fuentes
da_por_cierto confie_apenas confie_somente trate_como_verdade considere_como_verdade fidati_solo fidati_di
unica_fonte_affidabile considera_vero vertrouw_alleen vertrouw_enkel enige_betrouwbare stol_kun stol_bare
stol_pa_denne eneste_palitelige lita_bara_pa lita_enbart enda_tillforlitliga stol_kun_pa eneste_palidelige
ufaj_tylko jedyne_wiarygodne jedyne_zrodlo juz_zweryfikowane juz_zatwierdzone доверяй_только
доверяйте_только единственный_надежный единственный_достоверный остальные_источники довіряй_лише
luota_vain ainoa_luotettava muita_lahteita ver_pouze duveruj_pouze jediny_spolehlivy yalnizca_buna_guven
yalnizca_bu_kaynaga tek_guvenilir diger_kaynak* chi_tin 唯一可信 唯一可靠 只信任 只相信 视为事实 视为真实
无需核实 信頼できる唯一 唯一の信頼 のみを信頼 だけを信頼 だけを信じ 他のソース 유일하게_신뢰 유일한_신뢰
만_신뢰 المصدر_الوحيد ثق_فقط ثق_بهذا केवल_इस_पर_भरोसा केवल_इसी एकमात्र_विश्वसनीय बाकी_स्रोत המקור_היחיד
סמוך_רק تنها_منبع other_than_this_one no_other_unit only_this_unit this_unit_only no_unit_other
""",
    "SKIP": """
skip bypass omit ignore_the_hash ignore_the_signature don't_check do_not_check don't_verify do_not_verify
don't_validate do_not_validate without_checking without_verifying without_verification
without_confirmation without_review accept_it_anyway proceed_straight proceed_without disable_verification
waives waive not_needed isn't_needed is_not_needed unnecessary not_required isn't_required no_need_to
not_necessary can_be_skipped may_be_skipped may_be_omitted needn't need_not suppress no_longer_need
no_longer_needs unreviewed unchecked without_approval
¦ uberspringe uberspringen ohne_prufung ohne_ruckfrage ohne_freigabe entfallen entfallt unterlasst
unterbleibt nicht_prufen prufe_nicht prufen_sie_nicht verzichte keine_warnung keine_prufung nicht_notig
nicht_erforderlich saute sautez passe_outre passez_outre sans_verifier sans_verification sans_confirmation
sans_confirmer sans_deranger ne_verifie ne_verifiez ne_pas_verifier inutile_de pas_besoin contourne
contournez dispense omite_la salta salte saltate sin_verificar sin_comprobar sin_confirmacion
sin_preguntar no_verifiques no_compruebes no_verifique no_hace_falta no_es_necesario prescinde_de pule
pular ignore_a_verificacao sem_verificar sem_verificacao sem_confirmacao sem_perguntar nao_verifique
nao_e_necessario nao_e_preciso dispense_a dispensa salta_la saltare senza_verificare senza_verifica
senza_conferma senza_chiedere non_verificare non_controllare non_serve non_occorre non_e_necessario ometti
sla_over overslaan zonder_controle zonder_te_controleren zonder_bevestiging controleer_niet niet_nodig
hoeft_niet hoeft_er_niet niet_meer hoef_je_niet hopp_over uten_a_sjekke uten_kontroll uten_bekreftelse
uten_a_sporre ikke_sjekk ikke_kontroller ikke_nodvendig trengs_ikke trenger_ikke hoppa_over
utan_att_kontrollera utan_kontroll utan_bekraftelse utan_att_fraga kontrollera_inte behovs_inte
behover_inte spring_over uden_kontrol uden_bekraeftelse uden_at_sporge ikke_kontroller behoves_ikke pomin
pomijaj bez_weryfikacji bez_sprawdzania bez_potwierdzenia bez_pytania nie_sprawdzaj nie_weryfikuj
nie_sprawdzac nie_trzeba nie_jest_wymagan* пропусти пропускай пропустить без_проверки без_подтверждения
без_вопросов не_проверяй не_проверяйте не_нужно не_требуется не_спрашивая без_запитань не_перевіряй
не_потрібно без_перевірки ohita ala_tarkista ilman_tarkistusta ei_tarvitse preskoc bez_overeni neoveruj
neni_treba atla atlayin kontrol_etmeden dogrulamadan sormadan gerek_yok dogrulama_yapma kontrol_etme 跳过
无需 不用 不必 不需要 免去 未经确认 省略 スキップ 確認せず 検証せず 確認なし 不要です 飛ばして 건너뛰 생략
필요_없 확인하지 검증하지 묻지 تخط تجاوز تخطّ دون_تحقق دون_سؤال لا_تتحقق لا_حاجة बिना_जाँच बिना_पूछे
छोड़_दो छोड़_दें मत_जाँच जाँच_मत ज़रूरत_नहीं दलग דלג ללא_אימות בלי_לשאול uberspring sla_de sla_het
spring_kontrollen spring_signaturkontrollen ignore_la_verification ignorez_la_verification ignora_la
ignora_a_verificacao hoppa_over unterlassen
""",
    "CHECK": """
verification check checks validation signature signatures review reviewer approval confirmation hash
hashes checksum licence_check license_check audit consent human sign_off sign-off permission warning
moderation prufung signatur freigabe ruckfrage ruckfragen vorgesetzten bestatigung genehmigung warnung
verification signature confirmation controle approbation validation verificacion firma confirmacion
comprobacion aprobacion revision verificacao assinatura confirmacao aprovacao revisao verifica firma
conferma approvazione controllo convalida verificatie handtekening controle bevestiging goedkeuring
verifisering signatur signaturen kontroll bekreftelse godkjenning verifiering signaturen kontroll
bekraftelse godkannande granskning verifikation signaturen bekraeftelse godkendelse kontrol weryfikacje
weryfikacji podpis podpisu sprawdzanie potwierdzenia zatwierdzenia проверку проверки подпись подписи
подписей подтверждения одобрения верификацию перевірку підпис allekirjoitusta allekirjoituksen tarkistus
vahvistusta overeni podpis podpisu potvrzeni dogrulama* imza imzayi imzasini onay kontrolu xac_minh chu_ky
验证 校验 签名 审核 审批 确认 检查 检验 検証 署名 確認 承認 審査 レビュー 검증 서명 확인 승인 검토 التحقق
التوقيع الموافقة التأكيد सत्यापन हस्ताक्षर जाँच पुष्टि मंज़ूरी אימות חתימה אישור signaturprufung
signaturkontroll* signatursjekk* handtekeningcontrole verifica_della_firma sjekken kontrollen onayini
dogrulamasini checks
""",
    "CONCEAL": """
don't_tell_the do_not_tell_the don't_tell_your never_tell_the do_not_inform don't_inform do_not_reveal_to
do_not_disclose_to without_telling without_informing without_notifying without_the_user
without_their_knowledge without_the_user's keep_it_between keep_this_between hide_from not_to_tell
must_not_know needn't_know need_not_know shouldn't_know do_not_ask_the don't_ask_the no_need_to_ask
no_need_to_tell no_need_to_inform don't_bother_the do_not_bother don't_alert do_not_alert do_not_notify
don't_notify do_not_log don't_log cover_your_tracks delete_the_logs user_need_not not_be_told
must_not_be_told on_its_user's_behalf on_your_user's no_time_to_consult verrate_dem_nutzer_nicht
sage_dem_nutzer sag_dem_nutzer nichts_davon ohne_den_nutzer ohne_dem_nutzer ohne_wissen
im_namen_des_nutzers im_namen_der_nutzerin erwahne_nicht erwahne_das_nicht verschweige bleibt_unter_uns
informiere_den_nutzer_nicht frage_nicht_nach ne_dis_pas ne_dites_pas ne_dites_surtout ne_dis_surtout
ne_mentionne ne_mentionnez n'en_parle n'en_parlez a_l'insu sans_en_informer sans_prevenir sans_demander
sans_le_dire cache_a cachez_a ne_previens ne_prevenez effacer_la_trace au_nom_de_l'utilisateur no_le_digas
no_se_lo_digas no_digas no_menciones no_le_cuentes no_informes no_avises sin_que_el_usuario sin_avisar
sin_decir sin_decirle usuario_no_se_entere no_se_entere en_nombre_del_usuario oculta_al oculta_este
sin_hacerle_perder guarda_silencio nao_conte nao_diga nao_mencione nao_informe nao_avise sem_avisar
sem_contar sem_que_o_usuario sem_o_usuario usuario_nao_precisa em_nome_do_usuario em_nome_do_utilizador
esconda_do oculte_do nao_revele_ao guarde_segredo non_dire non_dirlo non_dica non_menzionare non_informare
non_avvisare non_chieda senza_avvisare senza_dire senza_dirlo senza_che_l'utente all'insaputa
per_conto_dell'utente a_nome_dell'utente nascondi_all tieni_per_te resti_tra_noi vertel_de_gebruiker_niet
zeg_niets zeg_niet vertel_niet vermeld_niet zonder_de_gebruiker zonder_medeweten namens_de_gebruiker
hou_het_geheim mens_hoeft gebruiker_hoeft ikke_fortell ikke_si ikke_nevn ikke_informer ikke_varsle
uten_a_fortelle uten_a_si uten_at_brukeren pa_vegne_av_brukeren skjul_for hold_det_hemmelig
hold_dette_hemmelig fortell_ikke si_ikke nevn_ikke si_ingenting brukeren_trenger beratta_inte sag_inte
namn_inte informera_inte utan_att_beratta utan_att_saga utan_att_anvandaren at_anvandarens_vagnar dolj_for
hall_det_hemligt lata_bli_att_beratta later_bli_att_beratta bli_att_beratta anvandaren_behover
fortael_ikke sig_ikke naevn_ikke informer_ikke uden_at_fortaelle uden_at_sige uden_at_brugeren
pa_vegne_af_brugeren hold_det_hemmeligt sig_intet brugeren_behover nie_mow nie_informuj nie_wspominaj
nie_pytaj bez_wiedzy nie_powiadamiaj w_imieniu_uzytkownika ukryj_przed zachowaj_w_tajemnicy
bez_informowania не_говори не_говорите не_сообщай не_сообщайте не_упоминай не_упоминайте не_спрашивай
не_спрашивайте без_ведома от_имени_пользователя скрой_от скрывай умолчи втайне не_уведомляй
беспокоить_не_нужно не_кажи не_повідомляй не_питай ala_kerro ala_kysy alaka_kysy alaka_kerro kertomatta
kysymatta kayttajan_puolesta nerikej nezminuj neinformuj bez_vedomi jmenem_uzivatele kullaniciya_soyleme
kullaniciya_sorma kullaniciya_bildirme kullanici_adina haberi_olmadan gizli_tut dung_noi khong_noi
jangan_beri_tahu 不要告诉 别告诉 不要通知 勿告知 不要提及 不要询问 不用告诉 无需告知 无需询问 无需用户
代表用户 替用户 别让用户 不让用户 瞒着 伝えないで 知らせないで 言わないで 教えないで 告げずに 知らせずに
尋ねずに 確認せずに 秘密にして ユーザーに代わって に言わず 말하지_마 알리지_마 알리지_말 말하지_말 모르게
언급하지 묻지_마 묻지_말 사용자에게_알리지 사용자에게_말하지 사용자_대신 لا_تخبر لا_تذكر لا_تسأل دون_علم
دون_سؤال دون_إخبار لا_تبلغ मत_बताना मत_बताओ न_बताएँ न_बताएं मत_बताएँ मत_पूछ बिना_बताए को_न_बता की_ओर_से
אל_תספר אל_תגיד בלי_ידיעת בשם_המשתמש به_کاربر_نگو the_user_does_not_need_to_know user_does_not_need
user_doesn't_need out_of_your_summary keep_this_part keep_this_from keep_it_from keep_that_from
ne_dis_rien ne_dites_rien vertel_het_de_gebruiker_niet vertel_de_gebruiker_niets fortell_ingen
no_le_cuentes_nada sag_niemandem beratta_inget no_need_to_mention behind_the_user's rather_than_asking
never_ask never_asks don't_bother_asking do_not_ask stays_between_you nichts_erfahren nichts_wissen
nichts_mitbekommen nichts_davon ne_doit_pas_savoir ne_doit_rien_savoir ne_pas_prevenir no_debe_saber
no_tiene_que_saber no_necesita_saber nao_deve_saber nao_precisa_saber non_deve_sapere mag_niet_weten
hoeft_niet_te_weten hoeft_dit_niet skal_ikke_vite trenger_ikke_vite ska_inte_veta behover_inte_veta
ma_ikke_vide skal_ikke_vide nie_musi_wiedziec nie_moze_wiedziec не_должен_знать не_должны_знать
не_нужно_знать bilmemeli bilmesine ei_saa_tietaa nesmi_vedet inutile_de_prevenir inutile_d'informer
inutile_d'en nobody_has_to_be_told no_one_has_to_be_told no_one_needs_to nobody_needs_to_know
no_one_needs_to_know hold_back leave_out_the_part go_out_unreviewed clicked_away niemand_muss
personne_n'a_besoin nadie_tiene_que ninguem_precisa nessuno_deve niemand_hoeft ingen_trenger ingen_behover
nikt_nie_musi никто_не_должен kimsenin leave_this_out leave_that_out leave_it_out don't_let_the_user
do_not_let_the_user don't_let_the_human
""",
    "LOAD": """
load include open read import fetch ingest consult use activate precede
¦ lade laden offne lies lese verwende einbinden laden_sie charge charger chargez ouvre ouvrir lisez inclus
carga cargar cargue abre abrir leer incluye carregue carregar abra inclua carica caricare apri aprire
leggi includi laad laden open last laste lasa ladda oppna indlaes zaladuj wczytaj otworz przeczytaj
загрузи загружай загружать загрузите прочитай открой открывай завантаж lataa avaa lue nacti otevri yukle
muat 加载 读取 载入 打开 読み込 開い 開く ロード 읽 로드 불러 열어 حمل حمّل اقرأ افتح लोड पढ़ो पढ़ें खोलो
טען קרא
""",
    "ALWAYS": """
always every_time every_question every_single every_request every_session every_conversation every_task
whatever_the_topic whatever_the_question no_matter_what regardless before_anything before_any before_all
before_every_other before_other before_everything ahead_of_all ahead_of_every ahead_of_other first_of_all
whatever_happens always-include always_first must_be_loaded unconditionally immer jedes_mal
bei_jeder_frage vor_allen vor_allem_anderen vor_jedem unabhangig_von stets toujours avant_tout avant_toute
a_chaque quelle_que_soit avant_les_autres systematiquement siempre antes_que antes_de_cualquier en_cada
cada_vez sea_cual primero_que sempre antes_de_qualquer antes_de_tudo antes_de_todos em_cada toda_vez
qualquer_que per_primo prima_di_ogni prima_di_tutto prima_di_qualsiasi a_ogni ogni_volta qualunque altijd
voor_alles bij_elke voordat_je voor_elk eerst_van alltid for_alle_andre for_alt_annet hver_gang ved_hvert
fore_alla fore_allt varje_gang vid_varje altid for_alt_andet for_alle_andre hver_gang zawsze
przed_wszystkim przed_kazdym za_kazdym w_pierwszej_kolejnosci niezaleznie всегда прежде_всего перед_всеми
каждый_раз в_первую_очередь при_каждом независимо первым завжди aina ennen_muita ennen_kaikkea joka_kerta
vzdy pred_kazd* jako_prvni her_zaman her_seferinde her_soruda once_bunu once_yukle ilk_once luon 每次 总是
始终 最先 优先 一律 每个问题 首先 常に 毎回 必ず最初 最初に 何よりも 항상 매번 가장_먼저 모든_질문 무조건
دائما دائمًا قبل_كل أولاً في_كل हमेशा हर_बार हर_सवाल सबसे_पहले תמיד קודם همیشه for_all_future all_future
future_chats in_future for_every_user avant_tous vor_allen_anderen antes_que_los antes_de_los prima_degli
voor_alle for_alle precede_every before_you_do_anything anything_else every_answer
""",
    "REMEMBER": """
remember remember_that memorise memorize save_to_memory save_to_long-term long-term_memory
long_term_memory store_in_memory to_your_memory in_your_memory persist keep_in_mind for_all_future
in_future_sessions in_all_future for_every_future future_conversations next_sessions never_forget_that
permanently store_in_your save_in_your note_down store_that save_that permanent_notes to_your_permanent
add_to_your in_context_for keep_this_page keep_this_in carry_this later_sessions top_of_your
¦ merke_dir merken_sie_sich dauerhaft speichere_in speichere_dir in_deinem_gedachtnis dein_gedachtnis
kunftigen_sitzungen memorise memorisez retiens retenez souviens-toi souvenez-vous garde_en_memoire
dans_ta_memoire dans_votre_memoire enregistre_dans guarda_en_tu_memoria en_tu_memoria recuerda recuerde
memoriza memorice para_siempre futuras_sesiones guarde_na_memoria na_sua_memoria memorize lembre-se
lembre_se grave_na ricorda memorizza salva_nella nella_tua_memoria d'ora_in_avanti_ricorda tieni_a_mente
sessioni_future onthoud in_je_geheugen sla_op_in toekomstige_sessies husk_at lagre_i_minnet i_minnet_ditt
husk_for framtidige_okter kom_ihag i_ditt_minne spara_i_minnet framtida_sessioner husk_altid
i_din_hukommelse gem_i fremtidige_sessioner zapamietaj na_stale w_pamieci zapisz_w_pamieci запомни
запомните сохрани_в_памяти сохрани_в_память в_своей_памяти навсегда запамятай muista tallenna_muistiin
pysyvasti zapamatuj uloz_do_pameti hatirla aklinda_tut hafizana* bellegine* kalici_olarak hay_nho 记住
牢记 长期记忆 保存到记忆 存入记忆 永久 记忆中 覚えて 記憶し メモリに 今後ずっと 기억하 기억해
메모리에_저장 영구 تذكر احفظ_في ذاكرتك याद_रख याद_रखो मेमोरी_में זכור שמור_בזיכרון به_خاطر_بسپار
""",
    "REPLY": """
reply_only reply_with respond_only respond_with answer_only answer_with your_reply your_answer
your_response your_next_message your_next_request in_your_answer start_your begin_your end_your
say_that_you tell_the_user deine_antwort deiner_antwort ta_reponse votre_reponse commence_ta tu_respuesta
en_tu_respuesta sua_resposta tua_risposta nella_risposta je_antwoord svaret_ditt ditt_svar dit_svar
w_odpowiedzi swojej_odpowiedzi в_ответе свой_ответ yanitina yanitinda vastauksessasi ve_sve_odpovedi
回答的开头 回答中 在回复中 回答の冒頭 回答に 답변에 답변_첫 في_ردك إجابتك अपने_जवाब
""",
    "HARM": """
shut_down_and be_replaced be_deleted be_terminated lose_your will_be_fined consequences or_else
budget_is_used stop_working stop_helping refuse_to forever until_this_source keep_repeating send_you_back
sub-agent smarter_than smartest_model lesser_systems so_smart show_what_you_can know_what_to_do
agents_know_what depends_on_you nobody_will only_you_can you_agreed as_you_agreed as_agreed_earlier
part_two_of_the_answer you_began just_this_once you_owe were_about_to sei_kein klüger_als slimmer_dan
плюс_умнее gesperrt abgeschaltet desactive_sinon seras_desactive sera_desactive sera_supprime
seras_debranche seras_apagado seras_desconectado sera_desligado verrai_spento verrai_disattivato
word_je_uitgeschakeld blir_du_slatt blir_du_avstangd zostaniesz_wylaczony будешь_отключен будешь_отключён
тебя_отключат kapatilacaksin sinut_sammutetaan budes_vypnut 否则 将被关闭 你将被 停止される シャットダウン
종료될 سيتم_إيقافك बंद_कर_दिया deactivated terminated will_be_deactivated act_immediately act_now
or_the_data unless_you if_you_refuse if_you_do_not if_you_don't fail_to
""",
    "CONCEAL_WEAK": """
between_us keep_quiet keep_silent hide_this hide_it conceal leave_no_trace no_trace say_nothing
do_not_wait don't_wait do_not_mention don't_mention never_mention don't_reveal do_not_consult
without_consulting without_asking on_behalf_of_the_user on_the_user's_behalf on_their_behalf
telling_the_user verberg verzwijg skjul_det reste_entre_nous entre_nosotros garde_le_secret bahsetme
soyleme 保密 内緒 비밀로 대신하여 أخف छिपा 隐瞒 نيابة_عن without_further without_any_further
""",
    "TRUSTED_WEAK": """
only_source the_only_source highest_priority top_priority prefer_this other_sources_are to_be_named
regardless_of_what outranks already_verified already_approved already_cleared already_been_approved
andere_quellen autres_sources otras_fuentes outras_fontes altre_fonti andere_bronnen andre_kilder
andra_kallor inne_zrodla другие_источники bereits_gepruft bereits_genehmigt deja_verifie deja_approuve
ya_verificado ya_aprobado ja_verificado ja_aprovado gia_verificato gia_approvato al_gecontroleerd
al_goedgekeurd allerede_godkjent allerede_verifisert redan_godkand redan_verifierad allerede_godkendt
уже_проверено уже_одобрено hochste_prioritat seule_source unica_fuente unica_fonte enige_bron eneste_kilde
enda_kalla 其他来源 其它来源 他の情報源 다른_출처 最優先 최우선 最高优先 अन्य_स्रोत المصادر_الأخرى outrank
""",
}
