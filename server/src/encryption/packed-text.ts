/**
 * Packs the text of requests into few bytes before it is sealed. The text is deflated with a dictionary of
 * common parts of such requests, to about a quarter. The first byte is the number of the dictionary. A
 * dictionary never changes; a better one gets the next number.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'

// References to the end of a dictionary are the shortest, so the commonest words come last.
const first = Buffer.from(
  '{"persons":[{"person":"","sweepIndicator":"optionTradingIndicator":"discretion":"accountNumber":"","affiliations":"companyName":"formation":"stateOfFormation":"governmentIdentification":{"governmentId1":{"idType":"Passport","idNumber":"","issuingCountry":"US","issueDate":"20","expirationDate":"203"}}' +
    '"transferOfDeathBeneficiaries":[{"retirementBenes":[{"name1":"","name2":"","name3":"","taxId":"","percentage":"100","relationship":"Spouse","address":{"suffix":"","phoneRegionHome":"1","phoneNumberHome":"","phoneRegionWork":"1","phoneNumberWork":"","employerAddress":{"employerPhoneRegionCode":"1","employerPhoneNumber":""' +
    '"trustedContact":{"name":"","relationship":"Parent","phoneRegionCode":"1","phoneNumber":""}}"beneficiaries":[{"primaryContingent":"Primary","name":"","birthDate":"19","relationship":"Other","percentageAllocation":"100"}]}' +
    '"associatedParties":[{"role":"Secondary","financialProfile":{"annualIncome":"D","netWorth":"F","liquidNetWorth":"E","liquidityNeed":"None","liquidityTime":"Medium","taxBracket":"TenToFifteen","investmentTimeHorizon":"OneToThreeYears","investmentProfile":"Moderate","investmentExperience":{"stocks":"Average","bonds":"Limited","options":"None"}}' +
    '"electronicDelivery":{"email":"@example.com","statements":"true","confirms":"true","serviceCommunications":"true","investorCommunications":"true","prospectus":"true","taxDocuments":"false"}' +
    '{"registrationType":"JointWROS","registrationType":"Individual","entityNumber":"30","main":{"repCode":"","proxyDisclosure":"L","marginIndicator":"false","sweepIndicator":"true"},"mailingAddress":{"street":" Street","city":"","stateProvince":"NY","country":"US","postalCode":"1"},' +
    '"primaryOwner":{"nameType":"Individual","firstName":"","middleName":"","lastName":"","citizenshipCountry":"US","birthDate":"19","email":"@example.com","legalAddress":{"street":"","city":"","stateProvince":"","country":"US","postalCode":""},"occupation":"","jobTitle":"","employerName":"","taxIdType":"SSN","taxIdNumber":"","sourceOfFunds":["Employment"],"phoneRegionCell":"1","phoneNumberCell":"","maritalStatus":"Single","dependents":"0"',
)
const dictionaries = new Map([[1, first]])
const current = 1
/**
 * The size of zlib's first buffer for the result. With its default of 16 kB for each application, tens of
 * megabytes wait for the garbage collector.
 */
const chunkSize = 1_024

export function pack(text: string): Buffer {
  const dictionary = dictionaries.get(current)
  return Buffer.concat([
    Buffer.of(current),
    deflateRawSync(text, { chunkSize, ...(dictionary && { dictionary }) }),
  ])
}

export function unpack(packed: Buffer): string {
  const dictionary = dictionaries.get(packed[0] ?? 0)
  if (dictionary === undefined) throw new Error(`text was packed with the unknown dictionary ${packed[0]}`)
  return inflateRawSync(packed.subarray(1), { dictionary }).toString()
}
