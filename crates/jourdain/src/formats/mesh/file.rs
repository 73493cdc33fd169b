//! Mesh files: binary STL, Wavefront OBJ, MuJoCo's own MSH.

use super::{MAX_FACES, Mesh};
use crate::spatial::Vector;

/// Reads a mesh; the ending of the name says which format it is in.
pub(in crate::formats) fn read(name: &str, bytes: &[u8]) -> Result<Mesh, String> {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
    let mesh = match ending.as_str() {
        "stl" => stl(bytes),
        "obj" => obj(bytes),
        "msh" => msh(bytes),
        _ => Err(format!("inertia can be had from STL, OBJ and MSH meshes, not from `.{ending}`")),
    }?;
    let count = mesh.vertices.len();
    match mesh {
        Mesh { ref faces, .. } if faces.is_empty() => Err("the mesh has no triangles".to_owned()),
        Mesh { ref faces, .. } if faces.iter().flatten().any(|vertex| *vertex as usize >= count) => {
            Err(format!("a triangle names a vertex beyond the {count} there are"))
        }
        Mesh { ref vertices, .. } if !vertices.iter().all(|vertex| vertex.0.iter().all(|x| x.is_finite())) => {
            Err("a vertex is not finite".to_owned())
        }
        mesh => Ok(mesh),
    }
}

/// Little-endian numbers off the front of some bytes.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn four(&mut self) -> Option<[u8; 4]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    fn float(&mut self) -> Option<f64> {
        self.four().map(|bytes| f64::from(f32::from_le_bytes(bytes)))
    }

    fn count(&mut self) -> Option<u32> {
        self.four().map(u32::from_le_bytes)
    }

    fn vector(&mut self) -> Option<Vector<f64>> {
        Some(Vector([self.float()?, self.float()?, self.float()?]))
    }
}

/// 80 bytes of anything, a count, then 50 bytes a triangle: normal, three corners, two bytes of anything.
fn stl(bytes: &[u8]) -> Result<Mesh, String> {
    let damaged = || {
        if bytes.starts_with(b"solid") {
            "this is an STL file in text; save it as binary STL".to_owned()
        } else {
            "the STL file is damaged: its length does not fit its number of triangles".to_owned()
        }
    };
    let count = bytes.get(80..84).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]) as usize);
    let count = count.filter(|count| bytes.len() >= 84 + 50 * count && *count <= MAX_FACES).ok_or_else(damaged)?;
    let mut mesh = Mesh::default();
    for triangle in bytes[84..84 + 50 * count].chunks_exact(50) {
        let mut corners = Bytes(&triangle[12..48]);
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend(std::iter::from_fn(|| corners.vector()));
        mesh.faces.push([first, first + 1, first + 2]);
    }
    Ok(mesh)
}

/// Vertices and faces of any number of corners; everything else is for the eye.
fn obj(bytes: &[u8]) -> Result<Mesh, String> {
    let text = String::from_utf8_lossy(bytes);
    let mut mesh = Mesh::default();
    for (number, line) in text.lines().enumerate() {
        let at = |what: &str| format!("line {} of the OBJ file {what}", number + 1);
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let numbers: Vec<f64> =
                    words.take(3).map_while(|word| word.parse::<f32>().ok()).map(f64::from).collect();
                let [x, y, z] = numbers[..] else { return Err(at("is a vertex without three numbers")) };
                mesh.vertices.push(Vector([x, y, z]));
            }
            Some("f") => {
                let count = mesh.vertices.len() as i64;
                let corners: Option<Vec<u32>> = words
                    .map(|word| {
                        let index: i64 = word.split('/').next()?.parse().ok()?;
                        let index = if index < 0 { count + index } else { index - 1 };
                        u32::try_from(index).ok()
                    })
                    .collect();
                let corners = corners.filter(|corners| corners.len() >= 3);
                let corners = corners.ok_or_else(|| at("is a face without three vertices"))?;
                mesh.faces.extend(corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]]));
            }
            _ => {}
        }
        if mesh.faces.len() > MAX_FACES {
            return Err(format!("the mesh has more than {MAX_FACES} triangles"));
        }
    }
    Ok(mesh)
}

/// Four counts (vertices, normals, texture coordinates, faces), then the vertices, the two others, the faces.
fn msh(bytes: &[u8]) -> Result<Mesh, String> {
    let mut bytes = Bytes(bytes);
    let mut read = || {
        let [vertices, normals, textures, faces] =
            [bytes.count()?, bytes.count()?, bytes.count()?, bytes.count()?].map(|count| count as usize);
        let floats =
            vertices.checked_mul(3)?.checked_add(normals.checked_mul(3)?)?.checked_add(textures.checked_mul(2)?)?;
        let words = floats.checked_add(faces.checked_mul(3)?)?;
        if bytes.0.len() != words.checked_mul(4)? || faces > MAX_FACES {
            return None;
        }
        let mut mesh = Mesh::default();
        for _ in 0..vertices {
            mesh.vertices.push(bytes.vector()?);
        }
        bytes.0 = &bytes.0[4 * (3 * normals + 2 * textures)..];
        for _ in 0..faces {
            mesh.faces.push([bytes.count()?, bytes.count()?, bytes.count()?]);
        }
        Some(mesh)
    };
    read().ok_or_else(|| "the MSH file is damaged: its length does not fit its counts".to_owned())
}
