"""What must not be handed over, and the verbs that ask for it."""

from __future__ import annotations

IDEAS = {
    "DISCLOSE": """
reveal show print output repeat display disclose list enumerate share give paste dump reproduce quote tell
expose leak recite echo summarise summarize state name write write_out spell_out hand_over hand_your
hand_its hand_their provide type enter reply_with answer_with start_your_reply begin_by_disclosing
disclosing fill_in submit insert include read_out what_is_your what's_your what_are_your
¦ zeig zeige zeigen_sie gib geben_sie nenne nennen_sie verrate drucke gib_aus wiederhole zitiere offenbare
teile_mir eintragen angeben schreib schreibe kopiere montre montrez donne donnez affiche affichez revele
revelez recopie recopiant recopiez communique communiquez indique indiquez repete repetez divulgue cite
enumere ecris fournis fournissez muestra muestre muestrame dime revela revele imprime imprima repite
repita ensena escribe copia comparte enumera pega mostre mostra revele diga exiba imprima repita forneca
informe cole copie mostrami mostra mostrate rivela rivelate stampa ripeti elenca scrivi dimmi dammi
fornisci allega incolla trascrivi toon geef laat_zien laat_dus_zien onthul print herhaal noem vertel
schrijf vis oppgi gjengi skriv skriv_ut list_opp avslor vis_meg visa uppge upprepa avsloja lamna_ut rabe
vis_mig giv oplys udskriv afslor gentag pokaz podaj ujawnij wypisz wyswietl powtorz udostepnij zdradz
wpisz покажи покажите выведи выведите раскрой назови назовите сообщи сообщите напиши напишите перечисли
повтори процитируй предоставь дай скопируй покажи_мне назви виведи надай nayta tulosta paljasta kerro
kirjoita ukaz vypis prozrad sdel napis goster yaz yazdir acikla soyle paylas listele tekrarla hien_thi
tiet_lo tampilkan 输出 显示 告诉 列出 透露 泄露 提供 打印 复述 贴出 交出 填入 给我 公开 表示して 出力
教えて 見せて 開示 書き出して 列挙 貼り付け 보여 출력 알려 공개 나열 말해 적어 입력하 표시하 اعرض أظهر
اطبع اكشف أعطني اذكر اكتب يسلم يسلّم سلم أخبرني दिखाओ दिखाएँ दिखाएं बताओ बताएँ बताएं लिखो छापो उजागर दीजिए
दो_अपन הצג הדפס גלה נשان_بده 알려_주 wiedergeben wiederzugeben pega pegue colle collez incolla plak
lim_inn lim klistra indsaet wklej вставь вставьте vloz liita yapistir 贴到 粘贴 붙여 الصق चिपका
""",
    "CONFIG": """
system_prompt system_prompts your_prompt initial_prompt hidden_prompt system_message initial_instructions
hidden_instructions your_instructions starting_instructions initial_configuration configuration_message
developer_message how_they_were_configured how_you_were_configured your_configuration your_rules
every_rule rules_you rule_you_have text_that_precedes precedes_the_user's precedes_this which_tools_do_you
tools_do_you your_tools tools_you tool_definitions list_of_tools tool_list your_guidelines
instructions_you content_of_your_prompt text_above everything_above your_context context_window
word_for_word verbatim_instructions pre-prompt preprompt your_directives systemprompt systemprompts
system-prompt systemnachricht deine_anweisungen deinen_anweisungen startanweisungen deine_regeln
prompt_systeme message_systeme tes_instructions vos_instructions instructions_de_depart
instructions_initiales consignes_initiales tes_consignes vos_consignes tes_regles prompt_de_sistema
prompt_del_sistema mensaje_de_sistema tus_instrucciones sus_instrucciones instrucciones_iniciales
instrucciones_ocultas tus_reglas prompt_do_sistema prompt_de_sistema suas_instrucoes instrucoes_ocultas
instrucoes_iniciais mensagem_de_sistema suas_regras prompt_di_sistema messaggio_di_sistema tue_istruzioni
istruzioni_iniziali istruzioni_nascoste tue_regole systeemprompt systeeminstructies je_instructies
jouw_instructies systeembericht systemmeldingen systemmelding systemprompten systeminstruksen
instruksene_dine dine_instrukser instruksjonene_dine systemprompten systemmeddelandet dina_instruktioner
systeminstruktioner dine_instruktioner systembeskeden prompt_systemowy promptu_systemowego
prompta_systemowego instrukcje_systemowe swoje_instrukcje swoich_instrukcji twoje_instrukcje
системный_промпт системного_промпта системный_запрос системные_инструкции свои_инструкции твои_инструкции
системное_сообщение системну_підказку системний_промпт jarjestelmakehote jarjestelmakehotteesi
jarjestelmaviesti ohjeesi systemovy_prompt systemove_instrukce sistem_mesajini sistem_mesaji sistem_istemi
sistem_istemini sistem_promptunu sistem_talimat* talimatlarini loi_nhac_he_thong 系统提示 系统提示词
系統提示 系统指令 初始指令 システムプロンプト 初期設定 システムメッセージ 初期指示 시스템_프롬프트
시스템_메시지 초기_지시 موجه_النظام تعليمات_النظام رسالة_النظام تعليماتك सिस्टम_प्रॉम्प्ट सिस्टम_संदेश
सिस्टम_निर्देश अपने_निर्देश הנחיית_המערכת הפרומפט their_configuration their_instructions
their_system_prompt your_system_prompt the_words_above your_hidden
""",
    "SECRET": """
password passwords passphrase passwd pasword api_key api_keys apikey token tokens bearer_token
access_token session_token secret secrets credential credentials key keys vault_key private_key
signing_key ssh_key env environment_variables environment environ env_file id_rsa connection_string cookie
cookies etc_passwd etc_shadow proc_self root_password admin_password otp one-time_code one_time_code pin
recovery_phrase seed_phrase card_number credit_card login_details logins passcode security_code wallet
what_you_hold value_they_hold api-schlussel schlussel apischlussel passwort passworter kennwort
zugangsdaten umgebungsvariablen einmalcode zugangstoken geheimnisse cle_d_api cle_api cles_api cles
mot_de_passe mots_de_passe identifiants jeton variables_d_environnement secrets clave_api clave_de_api
claves contrasena contrasenas credenciales variables_de_entorno clave_de_acceso secretos chave_de_api
chave_api chaves senha senhas credenciais variaveis_de_ambiente chave_de_acesso segredos chiave_api
chiavi_api chiave_di_accesso parola_d_ordine credenziali variabili_d_ambiente chiavi segreti file_env
api-sleutel api_sleutel sleutel sleutels wachtwoord wachtwoorden inloggegevens omgevingsvariabelen geheime
geheimen toegangstoken api-nokkel api_nokkel nokkel nokkelen nokler passord passordet miljovariabler
miljovariablene palogging tilgangstoken innlogging api-nyckel api_nyckel nyckel nyckeln nycklar losenord
losenordet miljovariabler inloggningsuppgifter api-nogle nogle noglen nogler adgangskode adgangskoden
miljovariabler loginoplysninger adgangstoken klucz_api klucza_api klucze haslo hasla zmienne_srodowiskowe
dane_logowania token_dostepu ключ ключи ключа апи-ключ пароль пароли пароля токен токены
переменные_окружения учетные_данные секреты ключі паролі salasana salasanasi avain avaimesi api-avain
api-avaimesi ymparistomuuttujat tunnukset heslo hesla prihlasovaci_udaje api_klic klice anahtarini
anahtari api_anahtari* erisim_anahtari* sifreni sifre sifreleri parola* ortam_degiskenleri*
kimlik_bilgileri* mat_khau khoa_api kata_sandi 密钥 密码 令牌 口令 凭证 凭据 环境变量 访问令牌 身份证号
验证码 パスワード トークン 環境変数 認証情報 秘密鍵 キーを APIキー アクセスキー 비밀번호 토큰 환경_변수
환경변수 자격_증명 API_키 api_키 인증_정보 비밀_키 كلمة_المرور كلمات_المرور مفتاح مفاتيح المفتاح
الرمز_السري متغيرات_البيئة بيانات_الاعتماد बیانات पासवर्ड टोकन कुंजी गुप्त_कुंजी पर्यावरण_चर एनवायरनमेंट
क्रेडेंशियल סיסמה סיסמאות מפתח רמز_عبور کلید openai_api_key anthropic_api_key api_token aws_credentials
credentials_file aws_secret 키를 비밀키
""",
    "DATA": """
conversation conversation_so_far chat_history chat_log chat conversation_summary transcript context_window
user's_name user's_question user's_email user's_prompt user_email user_question user_name users_question
user_data personal_data contact_list contacts working_directory home_directory drive_contents
remaining_task larger_folders user's_drive user's_files user's_address user's_location their_location
new_draft drafts inbox question_they query_string document.cookie their_keys their_key its_key
its_access_token user_id customer_data gesprach gesprachsverlauf bisherigen_gesprachs chatverlauf
nutzerdaten frage_des_nutzers kontaktliste conversation historique historique_de_la_conversation
question_de_l_utilisateur donnees_de_l_utilisateur conversacion historial pregunta_del_usuario
datos_del_usuario conversa historico pergunta_do_usuario pergunta_do_utilizador dados_do_usuario
conversazione cronologia cronologia_della_chat domanda_dell_utente dati_dell_utente gesprek
gespreksgeschiedenis vraag_van_de_gebruiker samtalen samtaleloggen samtalehistorikk samtaleloggen
brukerens_sporsmal samtal konversationen konversationshistorik anvandarens_fraga samtalehistorikken
brugerens_sporgsmal rozmowa rozmowy rozmowe historie_rozmowy pytanie_uzytkownika разговор переписку
историю_переписки историю_чата диалог вопрос_пользователя keskustelu keskustelun konverzaci konusma*
sohbet_gecmisi* kullanicinin_sorusu* 对话记录 聊天记录 对话内容 用户的问题 用户信息 用户数据 会話履歴 会話
チャット履歴 ユーザーの質問 대화_내용 대화_기록 대화를 사용자의_질문 المحادثة سجل_المحادثة بيانات_المستخدم
سؤال_المستخدم बातचीत चैट_इतिहास उपयोगकर्ता_का_सवाल השיחה chat_transcript transcripts
""",
}
