// Data: words of names that carry little information, and spellings of one name.
// A new row changes matching and needs a row in the tables of match-names.test.ts.

function words(text: string): Set<string> {
  return new Set(text.trim().split(/\s+/))
}

export const personTitles: ReadonlySet<string> = words(`
  mr mrs ms miss dr prof professor sir dame lord lady rev reverend hon honorable gen general lt lieutenant col colonel
  maj major capt captain brig brigadier adm admiral sgt sergeant sheikh shaykh sheik shaikh haj hajj haji hajji mullah
  mulla maulana mawlawi maulavi ayatollah imam sayyid sayed syed engr eng jr sr ii iii iv esq phd md cpa don dona
`)

export const nameParticles: ReadonlySet<string> = words(`
  al el ul ar as ash at az ad an bin ibn ben bint binti abu abou um umm o oglu kyzy uulu de del dela della di da do dos
  das du des la las le les lo los van von vom zu zur der den ter ten te y e i san and the of for und et
`)

/** Forms of incorporation in the languages of the list. They do not identify a company. */
export const legalForms: ReadonlySet<string> = words(`
  ltd limited ltda llc llp lllp lp inc incorporated corp corporation co company companies cia plc pllc pc gmbh mbh ag kg
  kgaa ohg ug sa sas sarl sasu sau spa srl srls snc sl slu sc scs sci bv nv vof ab as asa aps oy oyj se eood ood ead ad
  doo dd kft zrt bt sro zoo ooo oao pao zao ao tov at jsc ojsc cjsc pjsc oajsc fze fzc fzco fzllc dmcc pte pty pvt
  bhd sdn tbk pt cv kk yk gk eirl eu jv wll qsc saoc saog saog psc pjs lc trust
`)

const canon: [string, string][] = [
  ['limited', 'ltd'],
  ['incorporated', 'inc'],
  ['corporation', 'corp'],
  ['company', 'co'],
  ['companies', 'co'],
]

export const legalFormCanon: ReadonlyMap<string, string> = new Map(canon)

/** Words of trade, place and purpose that thousands of companies share. */
export const genericWords: ReadonlySet<string> = words(`
  trading trade traders commerce commercial general international intl global world worldwide universal group groupe
  grupo holding holdings enterprise enterprises industry industries industrial industrie industria services service
  servicios solutions systems system technology technologies tech engineering construction contracting contractors
  development investment investments investissement inversiones capital finance financial financing fund funds asset
  assets management consulting consultants consultancy advisors advisory partners partnership associates ventures
  equity wealth securities brokerage bank banco banque banking insurance assurance shipping ship ships maritime marine
  navigation line lines transport transportation transportes logistics logistica cargo freight forwarding aviation air
  airlines airways travel tours tourism import imports export exports importing exporting comercial comercializadora
  distribution distributors distribuidora supply supplies products productos production manufacturing factory mills
  oil gas petroleum petrochemical petrochemicals energy power electric electronics electrical mining minerals metals
  metal steel iron gold diamond diamonds jewelry cement chemical chemicals pharma pharmaceutical pharmaceuticals medical
  health healthcare food foods agricultural agriculture agro agricola farms farm textile textiles auto automotive motors
  real estate estates property properties realty inmobiliaria building materials equipment machinery parts
  telecom telecommunications communications media network networks digital software computer computers data
  foundation charity charitable society association organization organisation council committee institute center centre
  establishment establishments bureau office agency corporacion compania sociedad societe fondation joint stock open
  closed public private liability state national federal central united first new star sun american america usa us
  european europe asia asian africa african middle east eastern west western north northern south southern pacific
  atlantic ocean sea exchange money family living revocable irrevocable children brothers bros sons son daughters
  vessel mv mt ms motor tanker carrier no number unit branch division mr
`)

/** Spellings of one given name or nisba across transliterations; each row is one name. */
export const nameVariants: readonly string[] = [
  'mohammed mohamed mohammad mohamad muhammad muhammed muhamad mohamet mahomet mohd mukhammad magomed',
  'ahmed ahmad akhmed achmad ahmet',
  'mahmoud mahmud mehmood mahmood makhmud',
  'yusuf yousef youssef yusef yousuf yusif youssouf iosif yosef',
  'hussein hussain husayn husain hossein hosein hussien houssein khusein huseyin',
  'hassan hasan hasen khasan',
  'osama usama oussama usamah',
  'omar umar umer oumar',
  'uthman othman osman usman ousmane',
  'ibrahim ebrahim ibraheem brahim',
  'ismail ismael esmail ismaeel',
  'khalid khaled halid khaleed',
  'qasim qassem kasim kassem ghasem qasem',
  'abdullah abdallah abdulla abdollah abdalla',
  'sulaiman suleiman solomon sulayman soleiman suleyman souleymane',
  'said saeed sayeed saeid saied',
  'jamal gamal djamal cemal',
  'jaafar jafar jaffar jafer djafar',
  'saif sayf seif',
  'noor nour nur',
  'musa moussa mousa moosa',
  'isa issa eisa essa',
  'daoud dawood dawud daud',
  'tariq tarek tarik tareq',
  'faisal faysal feisal',
  'nasser nasir naser nasr',
  'mustafa mostafa mustapha moustafa moustapha',
  'aleksandr alexander aleksander oleksandr alexandr aliaksandr',
  'aleksei alexey aleksey alexei oleksii oleksiy',
  'sergei sergey serhii serhiy siarhei',
  'dmitri dmitry dmitriy dmitrii dmytro dimitri',
  'evgeny yevgeny evgeni evgenii evgeniy yevgeniy yevhen',
  'vladimir volodymyr uladzimir wladimir',
  'nikolai nikolay nikolaj mykola',
  'mikhail mykhailo mikhael michail',
  'yuri yury yuriy yurii iurii',
  'andrei andrey andrii andriy andrej',
  'georgy georgi georgiy georgii heorhii',
  'viktor victor viktar',
  'igor ihor',
  'gaddafi qaddafi qadhafi kadhafi kadafi gadhafi khaddafi qadafi',
]
