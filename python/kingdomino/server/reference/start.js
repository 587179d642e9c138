SwaggerUIBundle({ url: "../../openapi.json", dom_id: "#reference", deepLinking: true, defaultModelsExpandDepth: 0 });
