// The interactive reference: Swagger UI on the contract.
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  filter: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
  docExpansion: 'none',
})
