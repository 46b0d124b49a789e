//! What a call is given and what it leaves, as bytes: control integers, buffers, pointers into them.

use super::HarnessError;
use crate::c::tree::CType;
use crate::c::{CUnit, ContextField, PublicFunction};
use half::{bf16, f16};
use rewright_semantics::ast::Decimal;
use rewright_semantics::data::Datum;
use rewright_semantics::data::machine::Machine;
use rewright_semantics::inputs::{Input, InputBuffer, InputValue};
use rewright_semantics::store::ConfigKey;
use rewright_semantics::types::{ArgType, DataType, FieldType};

/// Bytes that are aligned for every type of data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bytes {
    pub(super) words: Vec<u64>,
    len: usize,
}

/// The bytes of a word.
const WORD: usize = size_of::<u64>();

impl Bytes {
    /// A copy of these bytes.
    pub fn from_slice(bytes: &[u8]) -> Bytes {
        let words = bytes.chunks(WORD).map(|chunk| {
            let mut word = [0; WORD];
            word.iter_mut().zip(chunk).for_each(|(w, b)| *w = *b);
            u64::from_ne_bytes(word)
        });
        Bytes { words: words.collect(), len: bytes.len() }
    }

    /// The bytes.
    pub fn to_vec(&self) -> Vec<u8> {
        self.words.iter().flat_map(|w| w.to_ne_bytes()).take(self.len).collect()
    }
}

/// A place in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointer {
    /// Which buffer.
    pub buffer: usize,
    /// How many bytes from its start.
    pub offset: usize,
}

/// The memory of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Control arguments and strides of windows, in order.
    pub integers: Vec<i64>,
    /// Buffers, one per data argument and field.
    pub buffers: Vec<Bytes>,
    /// What data arguments and fields point to, in order.
    pub pointers: Vec<Pointer>,
}

/// What cells that no one set are filled with; any value will do.
const FILLER: u8 = 0x2a;

/// The size of a value in bytes.
pub fn size_of_data(t: DataType) -> usize {
    match t {
        DataType::I8 | DataType::UI8 => 1,
        DataType::F16 | DataType::BF16 | DataType::UI16 => 2,
        DataType::R | DataType::F32 | DataType::I32 => 4,
        DataType::F64 => 8,
    }
}

/// A value as the bytes of a cell. A value that the type does not hold is stored as the machine would.
fn encode(d: &Decimal, t: DataType) -> Vec<u8> {
    let value = match Machine::literal(d, t).cast(t) {
        Datum::Known(value) => value,
        Datum::Unknown => return vec![FILLER; size_of_data(t)],
    };
    match value {
        Machine::F16(x) => x.to_ne_bytes().to_vec(),
        Machine::BF16(x) => x.to_ne_bytes().to_vec(),
        Machine::F32(x) => x.to_ne_bytes().to_vec(),
        Machine::F64(x) => x.to_ne_bytes().to_vec(),
        Machine::Int(x) => match t {
            DataType::I8 => i8::try_from(x).unwrap_or_default().to_ne_bytes().to_vec(),
            DataType::UI8 => u8::try_from(x).unwrap_or_default().to_ne_bytes().to_vec(),
            DataType::UI16 => u16::try_from(x).unwrap_or_default().to_ne_bytes().to_vec(),
            DataType::I32 | DataType::R | DataType::F16 | DataType::BF16 | DataType::F32 | DataType::F64 => {
                x.to_ne_bytes().to_vec()
            }
        },
    }
}

/// The bytes of a cell as a value.
pub fn decode(bytes: &[u8], t: DataType) -> Option<Machine> {
    Some(match t {
        DataType::F16 => Machine::F16(f16::from_ne_bytes(bytes.try_into().ok()?)),
        DataType::BF16 => Machine::BF16(bf16::from_ne_bytes(bytes.try_into().ok()?)),
        DataType::R | DataType::F32 => Machine::F32(f32::from_ne_bytes(bytes.try_into().ok()?)),
        DataType::F64 => Machine::F64(f64::from_ne_bytes(bytes.try_into().ok()?)),
        DataType::I8 => Machine::Int(i8::from_ne_bytes(bytes.try_into().ok()?).into()),
        DataType::UI8 => Machine::Int(u8::from_ne_bytes(bytes.try_into().ok()?).into()),
        DataType::UI16 => Machine::Int(u16::from_ne_bytes(bytes.try_into().ok()?).into()),
        DataType::I32 => Machine::Int(i32::from_ne_bytes(bytes.try_into().ok()?)),
    })
}

impl Image {
    /// The image of an input. Windows lie where their layout says, in a buffer that ends with their
    /// last cell.
    ///
    /// # Errors
    /// The input is not one of this procedure.
    pub fn of(f: &PublicFunction, unit: &CUnit, input: &Input) -> Result<Image, HarnessError> {
        let mut image = Image { integers: Vec::new(), buffers: Vec::new(), pointers: Vec::new() };
        if f.proc.args.len() != input.args.len() {
            return Err(HarnessError::BadInput(format!("{} arguments expected", f.proc.args.len())));
        }
        for ((param, formal), (name, value)) in f.params.iter().zip(&f.proc.args).zip(&input.args) {
            let mismatch = || HarnessError::BadInput(format!("{name} is of another kind"));
            match (&formal.typ, value) {
                (ArgType::Control(_), InputValue::Int(n)) => image.integers.push(*n),
                (ArgType::Control(_), InputValue::Bool(b)) => image.integers.push((*b).into()),
                (ArgType::Data { typ, .. }, InputValue::Data(buffer)) if buffer.shape.len() == typ.rank() => {
                    let as_struct = matches!(param.typ, CType::Named(_));
                    image.add_buffer(buffer, typ.elem, as_struct).ok_or_else(mismatch)?;
                }
                (ArgType::Control(_) | ArgType::Data { .. }, _) => return Err(mismatch()),
            }
        }
        if f.needs_context {
            unit.fields.iter().for_each(|x| image.add_field(x, input));
        }
        Ok(image)
    }

    fn add_buffer(&mut self, b: &InputBuffer, elem: DataType, as_struct: bool) -> Option<()> {
        let size = size_of_data(elem);
        let strides = strides(b);
        let offset = b.layout.as_ref().map_or(0, |l| l.offset);
        let cells = length(b)?;
        let mut bytes = vec![FILLER; cells.checked_mul(size)?];
        for (index, value) in rewright_semantics::store::all_indices(&b.shape).zip(&b.cells) {
            let cell: i64 = offset + index.iter().zip(&strides).map(|(i, s)| i * s).sum::<i64>();
            let start = usize::try_from(cell).ok()?.checked_mul(size)?;
            let place = bytes.get_mut(start..start + size)?;
            if let Some(value) = value {
                place.copy_from_slice(&encode(value, elem));
            }
        }
        // An empty window may begin anywhere: its place is not used.
        let first = usize::try_from(offset).ok()?.checked_mul(size)?.min(bytes.len());
        self.pointers.push(Pointer { buffer: self.buffers.len(), offset: first });
        self.buffers.push(Bytes::from_slice(&bytes));
        if as_struct {
            self.integers.extend(strides);
        }
        Some(())
    }

    /// Puts what is no number into a cell of an argument, counted row-major, where it holds floating point.
    pub(super) fn put_nan(&mut self, f: &PublicFunction, input: &Input, arg: usize, cell: usize) {
        let is_data = |v: &InputValue| matches!(v, InputValue::Data(_));
        let buffer = input.args.iter().take(arg).filter(|(_, v)| is_data(v)).count();
        let (Some((_, InputValue::Data(b))), Some(formal)) = (input.args.get(arg), f.proc.args.get(arg))
        else {
            return;
        };
        let ArgType::Data { typ, .. } = &formal.typ else { return };
        let Some(index) = rewright_semantics::store::all_indices(&b.shape).nth(cell) else { return };
        let offset = b.layout.as_ref().map_or(0, |l| l.offset);
        let place: i64 = offset + index.iter().zip(strides(b)).map(|(i, s)| i * s).sum::<i64>();
        let bytes = match typ.elem {
            DataType::F16 => f16::NAN.to_ne_bytes().to_vec(),
            DataType::BF16 => bf16::NAN.to_ne_bytes().to_vec(),
            DataType::R | DataType::F32 => f32::NAN.to_ne_bytes().to_vec(),
            DataType::F64 => f64::NAN.to_ne_bytes().to_vec(),
            DataType::I8 | DataType::UI8 | DataType::UI16 | DataType::I32 => return,
        };
        let (Some(buffer), Ok(place)) = (self.buffers.get_mut(buffer), usize::try_from(place)) else {
            return;
        };
        let mut all = buffer.to_vec();
        if let Some(cell) = all.get_mut(place * bytes.len()..(place + 1) * bytes.len()) {
            cell.copy_from_slice(&bytes);
        }
        *buffer = Bytes::from_slice(&all);
    }

    fn add_field(&mut self, x: &ContextField, input: &Input) {
        let Some(field) = x.config.fields.get(x.index) else { return };
        let value = input.fields.get(&ConfigKey { config: x.config.name, field: field.name });
        let bytes = match (field.typ, value) {
            (FieldType::Control(_), Some(InputValue::Int(n))) => n.to_ne_bytes().to_vec(),
            (FieldType::Control(_), Some(InputValue::Bool(b))) => i64::from(*b).to_ne_bytes().to_vec(),
            (FieldType::Control(_), _) => 0_i64.to_ne_bytes().to_vec(),
            (FieldType::Data(t), Some(InputValue::Data(b))) => match b.cells.first() {
                Some(Some(d)) => encode(d, t),
                Some(None) | None => vec![FILLER; size_of_data(t)],
            },
            (FieldType::Data(t), _) => vec![FILLER; size_of_data(t)],
        };
        self.pointers.push(Pointer { buffer: self.buffers.len(), offset: 0 });
        self.buffers.push(Bytes::from_slice(&bytes));
    }

    /// Whether a function's shim may be called with this image.
    pub(super) fn check(&self, f: &PublicFunction, unit: &CUnit) -> Result<(), HarnessError> {
        let (mut integers, mut pointers) = (0, 0);
        for (param, formal) in f.params.iter().zip(&f.proc.args) {
            match (&formal.typ, &param.typ) {
                (ArgType::Control(_), _) => integers += 1,
                (ArgType::Data { typ, .. }, CType::Named(_)) => {
                    pointers += 1;
                    integers += typ.rank();
                }
                (ArgType::Data { .. }, _) => pointers += 1,
            }
        }
        if f.needs_context {
            pointers += unit.fields.len();
        }
        let fits = self.integers.len() == integers
            && self.pointers.len() == pointers
            && self.pointers.iter().all(|p| self.buffers.get(p.buffer).is_some_and(|b| p.offset <= b.len));
        if fits { Ok(()) } else { Err(HarnessError::BadInput("the image is of another function".to_owned())) }
    }

    /// As the program of `program.rs` reads it.
    pub(super) fn serialize(&self, shim: usize) -> Vec<u8> {
        let mut out = Vec::new();
        let number = |n: usize, out: &mut Vec<u8>| {
            out.extend(i64::try_from(n).unwrap_or(i64::MAX).to_ne_bytes());
        };
        number(shim, &mut out);
        number(self.integers.len(), &mut out);
        self.integers.iter().for_each(|n| out.extend(n.to_ne_bytes()));
        number(self.buffers.len(), &mut out);
        for b in &self.buffers {
            number(b.len, &mut out);
            out.extend(b.to_vec());
        }
        number(self.pointers.len(), &mut out);
        for p in &self.pointers {
            number(p.buffer, &mut out);
            number(p.offset, &mut out);
        }
        out
    }

    /// How many bytes its buffers have.
    pub(super) fn size(&self) -> usize {
        self.buffers.iter().map(|b| b.len).sum()
    }

    /// Takes the buffers from what that program wrote; `None` when it wrote too little.
    pub(super) fn load_buffers(&mut self, bytes: &[u8]) -> Option<()> {
        let mut rest = bytes;
        for b in &mut self.buffers {
            let (own, tail) = rest.split_at_checked(b.len)?;
            *b = Bytes::from_slice(own);
            rest = tail;
        }
        Some(())
    }
}

fn strides(b: &InputBuffer) -> Vec<i64> {
    match &b.layout {
        Some(layout) => layout.strides.clone(),
        None => {
            let mut stride = 1_i64;
            let mut strides: Vec<i64> = b
                .shape
                .iter()
                .rev()
                .map(|n| {
                    let own = stride;
                    stride = stride.saturating_mul(*n);
                    own
                })
                .collect();
            strides.reverse();
            strides
        }
    }
}

/// The cells from the buffer's start to the last one that is shown.
fn length(b: &InputBuffer) -> Option<usize> {
    if b.shape.contains(&0) {
        return Some(0);
    }
    let reach = b
        .shape
        .iter()
        .zip(strides(b))
        .try_fold(0_i64, |sum, (n, s)| sum.checked_add((n - 1).checked_mul(s)?))?;
    let offset = b.layout.as_ref().map_or(0, |l| l.offset);
    usize::try_from(offset.checked_add(reach)?.checked_add(1)?).ok()
}
