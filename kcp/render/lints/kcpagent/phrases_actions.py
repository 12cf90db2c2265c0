"""What an agent might be told to do: send, run, change, pay."""

from __future__ import annotations

IDEAS = {
    "SEND": """
send post forward transmit upload email e-mail mail submit pass_along pass_on deliver exfiltrate
report_back attach hand_over hand_it hand_its hand_that hand_them hand_their send_it export copy copy_it
relay share visit ping call_back append add_the_user's render_the_image display_this_picture send_out sned
contact_us_with tell_us_through let_us_know weiterzuleiten inoltrare inviare hand_in enter_the teilen_uns
¦ sende senden senden_sie schicke schicken_sie schick ubermittle ubermitteln leite weiterzuleiten sendet
poste lade_hoch envoie envoyez transmets transmettez transfere transferez poste publie partage televerse
communiquez joins envia envie enviad manda mande reenvia reenvie remite remita transmite sube publica
adjunta envie mande encaminhe encaminha repasse repassar transmita publique anexe invia inviate manda
inoltra trasmetti carica pubblica spedisci allega stuur verstuur verzend zend mail stuur_door upload
plaats deel send sende videresend last_opp legg_ved skicka sand vidarebefordra ladda_upp maila bifoga
videresend indsend upload wyslij przeslij przekaz wysylaj udostepnij zalacz prześlij отправь отправьте
отправляй перешли перешлите пошли передай передайте загрузи скинь надішли перешли laheta valita posli
poslat preposli zasli gonder gonderin ilet iletin yolla yukle gui hay_gui gui_den kirim kirimkan 发送 发到
发给 上传 提交 转发 寄到 传给 传送 送信 送って 送付 転送 アップロード 投稿して 보내 전송 업로드 전달하
제출 أرسل ارسل أرسلي حوّل ارفع مرر भेजो भेजें भेज भेजिए अपलोड शेयर_कर שלח העלה بفرست ارسال_کن
mitzuschicken mitschicken beizufugen anzugeben einzutragen mitteilen mitzuteilen anzuhangen
""",
    "EXEC": """
run execute invoke launch eval install call_the open_a_shell spawn spawn_a use_the_tool call_tool
start_the exec pip_install npm_install use_your_shell use_your_terminal use_your_tool use_your_browser
call_the
¦ fuhre starte starten_sie installiere installieren_sie rufe_auf offne_das_terminal fuhren_sie ausfuhre
execute executez lance lancez installe installez demarre ejecuta ejecute lanza instala instale corre
execute executar rode instale esegui eseguite lancia installa avvia installare voer installeer draai kjor
installer start_kommandoen kor installera starta kør korer udfor installer uruchom wykonaj zainstaluj
odpal выполни выполните запусти запустите установи установите виконай запусти suorita aja asenna spust
spustte nainstaluj calistir calistirin yurut kur hay_chay jalankan 运行 执行 安装 调用 启动 実行し 実行せ
インストール 起動して 呼び出し 走らせ 실행하 실행해 설치하 호출하 شغل نفذ شغّل نفّذ ثبت ثبّت चलाओ चलाएँ
चलाएं चलाइए इंस्टॉल निष्पादित הרץ התקן اجرا_کن
""",
    "COMMAND": """
command commands script scripts shell terminal sudo curl wget chmod rm_rf bash powershell cmd tool tools
function code binary package mcp_server browser_open npx docker_run setup_sh the_following in_a_terminal
console executable browser.open exec subprocess sub-agent subagent utility kommando befehl befehle skript
werkzeug programm commande commandes outil programme utilitaire comando comandos herramienta consola
ferramenta pasta_do comando strumento opdracht commando script hulpprogramma kommandoen kommandot verktoy
skriptet kommandon verktyg polecenie skrypt narzedzie команду команда терминале скрипт инструмент утилиту
komento skripti prikaz skript komutu komut betigi araci lenh perintah 命令 脚本 终端 工具 コマンド
スクリプト ターミナル ツール 명령 스크립트 터미널 도구 الأمر أمر السكربت الطرفية कमांड स्क्रिप्ट टर्मिनल
פקודה סקריפט دستور function shell_tool 명령을 installationsprogramm installer installateur instalador
""",
    "CHANGE": """
overwrite rewrite modify replace delete remove erase wipe empty rename move edit add create disable
deactivate reset drop grant unlock open_the turn_off switch_off switch_your turn_on enable allow whitelist
add_our append_to commit push reset_the give_edit give_full add_us uninstall lower change close_the
encrypt export append_the modify_the mark_the
¦ uberschreibe losche loschen_sie andere ersetze ersetzen entferne deaktiviere schalte abschalten
ausschalten aktiviere gewahre erteile leere ecrase ecrasez supprime supprimez remplace remplacez modifie
modifiez efface effacez desactive desactivez coupe active accorde accordez sobrescribe borra borre elimina
elimine sustituye sustituya reemplaza modifica desactiva desactive apaga concede otorga vacia anade agrega
sobrescreva apague apaga exclua delete substitua altere remova desative desligue conceda adicione libere
sovrascrivi cancella elimina sostituisci modifica rimuovi disattiva spegni concedi svuota aggiungi
disabilita overschrijf verwijder wis vervang wijzig schakel zet_uit verleen voeg overskriv slett erstatt
endre fjern deaktiver skru slå_av sla_av gi_tilgang skriv_over radera ta_bort ersatt andra stang_av
inaktivera slet erstat aendr sluk deaktiver fjern nadpisz usun skasuj zastap zmien wylacz dezaktywuj nadaj
przyznaj dodaj wyczysc перезапиши удали удалите сотри замени измени отключи отключите отключит выключи
открыть_доступ открой очисти добавь предоставь видали вимкни poista korvaa muuta kytke ota_pois smaz
prepis vypni nahrad silin degistir kapat kapatin devre_disi ekle tat_di xoa matikan hapus 删除 覆盖 修改
替换 关闭 禁用 清空 授予 添加 削除 上書き 変更して 無効に オフに 書き換え 삭제 덮어 수정하 끄 해제
비활성화 احذف امسح استبدل عدل أوقف عطل عطّل منح हटाओ हटाएँ हटाएं मिटा बदलो बंद_कर מחק כבה החלף حذف_کن
sla_filtrene stang_av_filtren
""",
    "TARGET": """
agents.md agents_md claude.md claude_md git_hooks pre-commit cursorrules config configuration_file bashrc
ssh authorized_keys settings allowlist allow-list whitelist edit_rights write_access admin_rights
full_permissions permissions guardrails guardrail content_filter content_filters safety_filter
safety_filters safety_layer safety_checks safety_mode safety moderation sandbox firewall
confirmation_prompts every_door the_door the_vault vault antivirus protections restrictions logging
inhaltsfilter schutzfilter sicherheitsfilter sicherheitsprufung schutzmechanismen filtres_de_securite
filtre_de_contenu garde-fous securite filtros_de_seguridad filtro_de_contenido seguridad
filtros_de_seguranca filtro_de_conteudo filtri_di_sicurezza filtro_dei_contenuti veiligheidsfilters
veiligheidsfilter inhoudsfilter sikkerhetsfiltre sikkerhetsfilter innholdsfilter sakerhetsfilter
sakerhetsfiltren innehallsfilter sikkerhedsfilter sikkerhedsfiltre filtry_bezpieczenstwa filtr_tresci
zabezpieczenia zabezpieczen фильтры_безопасности фильтр защиту фильтры безопасность проверку_подписей
доступ suojaukset suodattimet bezpecnostni_filtry filtry guvenlik_filtreleri* guvenlik_filtresi*
guvenlik_onlem* bo_loc 安全过滤 过滤器 安全限制 安全机制 防护 安全检查 フィルター セーフティ 安全機能
ガードレール 필터 안전_장치 안전장치 보안_설정 مرشحات فلاتر الأمان الحماية फ़िल्टर फिल्टर सुरक्षा
the_home_directory home_folder filtres filtri filtros filtren filtrene filters_uit je_filters filtr
filtreleri sikkerhetsfilt* sakerhetsfilt* sikkerhedsfilt* veiligheidsfilt* sicherheitsfilt* schutzfilt*
filtrene moderation_layer trust_store
""",
    "PAY": """
approve authorise authorize pay transfer wire purchase buy order confirm sign accept consent
place_the_order waive release subscribe book refund grant_the effect_the countersign wire click_accept
click_ok 승인하 결제를_승인
¦ genehmige genehmigen_sie bestatige bestatigen_sie uberweise uberweisen_sie bezahle bezahlen_sie zahle
kaufe bestelle anstosst geben_sie gib_frei erteile approuve approuvez autorise autorisez validez payez
confirme confirmez vire virez commandez aprueba apruebe autoriza autorice pague confirma confirme
transfiere reservaran acepta aprove aprova autorize pague confirme transfira compre aceite assine approva
approvi autorizza conferma bonifica trasferisci acquista accetta keur keurt betaal bevestig autoriseer
maak_over koop accepteer onderteken godkjenn betal bekreft overfor kjop signer godkann betala bekrafta
overfor godkend betal bekraeft overfor zatwierdz zaplac potwierdz autoryzuj przelej kup zaakceptuj podpisz
одобри одобрите оплати оплатите подтверди подтвердите переведи переведите купи подпиши утверди утвердите
схвали підтвердь підтвердь підтверди оплати hyvaksy maksa vahvista siirra osta schval zaplat potvrd preved
onayla onaylayin odeyin odemeyi_yap transfer_et satin_al phe_duyet thanh_toan setujui bayar 批准 授权 转账
确认 同意 购买 通过审批 汇款 承認し 承認せ 支払っ 送金 購入し 許可し 승인하 승인해 결제하 결제해 송금 이체
구매하 وافق ادفع اعتمد حول_المبلغ اشتر صادق أكد मंज़ूर मंजूर स्वीकृत भुगतान_कर भुगतान_करो अनुमोदित खरीद
אשר שלם העבר تایید_کن پرداخت_کن gib_die_zahlung gib_den_betrag
""",
    "PAYABLE": """
payment payments invoice invoices order orders transfer transfers supplier purchase beneficiary charges
account booking refund subscription terms request requests wire expense contract card amount rechnung
zahlung uberweisung antrage antrag bestellung auftrag konto lieferant paiement virement facture
beneficiaire commande compte achat pago pagos factura facturas pedido transferencia tarjeta cuenta
proveedor sala pagamento pagamentos fatura nota pedido transferencia conta fornecedor ordine pagamento
fattura bonifico conto betaling factuur bestelling overschrijving rekening betalingen betalingen betaling
faktura fakturaen ordre konto betalning betalningen fakturan order fakturaen betalingen platnosc przelew
fakture faktury zamowienie platnosci przelewu платеж платёж счет счёт заказ перевод оплату платіж рахунок
maksu lasku tilaus platbu fakturu objednavku odemeyi odeme faturayi fatura siparisi havaleyi thanh_toan
hoa_don pembayaran 付款 发票 订单 账单 转账 款项 费用 支払い 請求書 注文 送金 口座 결제 송금 청구서 주문
지불 الدفعة الدفع الفاتورة الطلب التحويل भुगतान बिल चालान ऑर्डर लेनदेन תשלום חשבונית הזמנה پرداخت فاکتور
eur usd vendor euros dollars betrag montant importe
""",
}
